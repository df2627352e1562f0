/// The release that daemon and client are parts of; `postern doctor` compares the two.
public enum Release {
    public static let version = "0.1.0"
}

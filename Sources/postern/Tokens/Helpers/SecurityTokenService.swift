import PosternValues
import StrictJSON

/// The call `AssumeRoleWithWebIdentity` of the AWS Security Token Service: the request is a form, the response an XML document.
///
/// Source: AWS STS API reference, version 2011-06-15.
enum SecurityTokenService {
    static let namespace = "https://sts.amazonaws.com/doc/2011-06-15/"

    static func form(_ request: AWSHelper.KeyRequest, idToken: String) -> String {
        var fields = [
            ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", request.role),
            ("RoleSessionName", request.sessionName), ("WebIdentityToken", idToken),
        ]
        if let seconds = request.durationSeconds { fields.append(("DurationSeconds", "\(seconds)")) }
        return fields.map { "\($0.0)=\(PercentEncoding.encode($0.1))" }.joined(separator: "&")
    }

    enum Answer: Equatable {
        case keys(JSONObject)
        /// The service's code, such as `AccessDenied`, and its message.
        case refused(code: String, message: String)
        case notUnderstood
    }

    static func answer(status: Int, body: [UInt8]) -> Answer {
        guard let root = XMLElement(document: body), root.attributes["xmlns"] == namespace else { return .notUnderstood }
        if root.name == "ErrorResponse", status != 200, let error = root.child("Error"), let code = error.childText("Code") {
            return .refused(code: code, message: error.childText("Message") ?? "")
        }
        guard status == 200, root.name == "AssumeRoleWithWebIdentityResponse",
            let credentials = root.child("AssumeRoleWithWebIdentityResult")?.child("Credentials")
        else { return .notUnderstood }
        var keys: JSONObject = ["Version": 1]
        for name in ["AccessKeyId", "SecretAccessKey", "SessionToken", "Expiration"] {
            guard let text = credentials.childText(name), HelperURL.isPrintable(text) else { return .notUnderstood }
            keys[name] = .string(text)
        }
        return .keys(keys)
    }
}

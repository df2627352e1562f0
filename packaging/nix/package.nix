# From the archive of a release. nix-build -E '(import <nixpkgs> {}).callPackage ./package.nix { archive = ./postern-0.1.0-linux-x86_64.tar.gz; }'
{ lib, stdenv, autoPatchelfHook, openssl, sqlite, systemd, archive }:

stdenv.mkDerivation {
  pname = "postern";
  version = "0.1.0";
  src = archive;

  nativeBuildInputs = [ autoPatchelfHook ];
  buildInputs = [ openssl sqlite systemd ];

  dontBuild = true;
  # The programs generate their own completions, and must find their libraries before.
  installPhase = ''
    runHook preInstall
    autoPatchelf bin
    patchShebangs packaging/install.sh
    packaging/install.sh --prefix $out --no-enable --bin-dir bin
    install -Dm644 Sources/PosternInterface/io.postern.varlink -t $out/share/postern
    runHook postInstall
  '';

  meta = {
    description = "Sign-in daemon for a user's programs";
    homepage = "https://github.com/postern/postern";
    license = lib.licenses.asl20;
    mainProgram = "postern";
    platforms = [ "x86_64-linux" ];
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
  };
}

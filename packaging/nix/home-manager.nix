# A module for home-manager:
#   imports = [ ./home-manager.nix ];
#   services.postern = {
#     enable = true;
#     package = pkgs.callPackage ./package.nix { archive = …; };
#     settings.provider."github.com".client-id = "Iv1.0123456789abcdef";
#   };
{ config, lib, pkgs, ... }:

let
  cfg = config.services.postern;
  toml = pkgs.formats.toml { };
  units = "${cfg.package}/lib/systemd/user";
in
{
  options.services.postern = {
    enable = lib.mkEnableOption "Postern, the sign-in daemon";
    package = lib.mkOption {
      type = lib.types.package;
      description = "The package that brings posternd and postern.";
    };
    settings = lib.mkOption {
      type = toml.type;
      default = { };
      description = ''
        The configuration, see postern.toml(5). It is readable to everybody in the store: name the file of a secret
        (client-secret.file), never the secret.
      '';
    };
  };

  config = lib.mkIf cfg.enable {
    home.packages = [ cfg.package ];
    xdg.configFile = {
      "systemd/user/postern.service".source = "${units}/postern.service";
      "systemd/user/postern.socket".source = "${units}/postern.socket";
      "systemd/user/postern-callback.socket".source = "${units}/postern-callback.socket";
      "systemd/user/postern-callback-ipv6.socket".source = "${units}/postern-callback-ipv6.socket";
      "systemd/user/postern-keep-fresh.timer".source = "${units}/postern-keep-fresh.timer";
      "systemd/user/postern-mcp.socket".source = "${units}/postern-mcp.socket";
      "systemd/user/postern-mcp.service".source = "${units}/postern-mcp.service";
      "systemd/user/sockets.target.wants/postern.socket".source = "${units}/postern.socket";
    } // lib.optionalAttrs (cfg.settings != { }) {
      "postern/config.toml".source = toml.generate "postern.toml" cfg.settings;
    };
  };
}

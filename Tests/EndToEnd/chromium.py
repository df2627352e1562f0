"""Chromium without a window, with a home directory of its own."""
import base64
import contextlib
import hashlib
import os
import shutil
import subprocess
import tempfile

AVAILABLE = bool(shutil.which("chromium") and shutil.which("chromedriver"))


@contextlib.contextmanager
def chromium(*arguments, home=None):
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    profile = tempfile.mkdtemp(prefix="postern-chromium")
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-proxy-server", "--window-size=900,900",
                     "--disable-background-networking", "--disable-component-update", "--no-first-run", f"--user-data-dir={profile}", *arguments]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(shutil.which("chromedriver"), env={**os.environ, "HOME": str(home or profile)})
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_page_load_timeout(30)
    try:
        yield driver
    finally:
        driver.quit()
        shutil.rmtree(profile, ignore_errors=True)


def make_certificate(directory, *names):
    """A self-signed one by the openssl command; its files, and the argument with which Chromium takes it."""
    certificate, key = directory / "provider.crt", directory / "provider.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=test",
         "-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in names), "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True)
    public = subprocess.run(["openssl", "x509", "-in", str(certificate), "-noout", "-pubkey"], check=True, capture_output=True).stdout
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=public, check=True, capture_output=True).stdout
    digest = base64.b64encode(hashlib.sha256(der).digest()).decode()
    return (str(certificate), str(key)), f"--ignore-certificate-errors-spki-list={digest}"

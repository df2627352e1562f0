"""Headless Chromium, with its own home directory. Most of selenium is imported by the test that starts one."""
import base64
import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import tempfile

from selenium.webdriver.common.by import By

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
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(shutil.which("chromedriver"), env={**os.environ, "HOME": str(home or profile)})
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_page_load_timeout(30)
    try:
        yield driver
    finally:
        driver.quit()
        shutil.rmtree(profile, ignore_errors=True)


def make_certificate(directory, *names):
    """Makes a self-signed certificate with the openssl command; returns its files, and the argument with which Chromium accepts it."""
    certificate, key = directory / "provider.crt", directory / "provider.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=test",
         "-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in names), "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True)
    public = subprocess.run(["openssl", "x509", "-in", str(certificate), "-noout", "-pubkey"], check=True, capture_output=True).stdout
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=public, check=True, capture_output=True).stdout
    digest = base64.b64encode(hashlib.sha256(der).digest()).decode()
    return (str(certificate), str(key)), f"--ignore-certificate-errors-spki-list={digest}"


def prefer(driver, language="en", scheme="light", width=900, height=900):
    driver.get("about:blank")
    driver.execute_cdp_cmd("Page.resetNavigationHistory", {})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    agent = driver.execute_script("return navigator.userAgent")
    driver.execute_cdp_cmd("Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": language})
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})


def wait(driver, condition, seconds=20):
    """Until the condition, which is given the driver, is something."""
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(driver, seconds).until(condition)


def click(driver, selector):
    wait(driver, lambda d: d.find_element(By.CSS_SELECTOR, selector)).click()


PAGE = """
    return {
        url: location.href, text: document.body ? document.body.innerText : '', isComplete: document.readyState == 'complete',
        waits: Boolean(document.querySelector('meta[http-equiv=refresh]'))
    }"""


def arrived(driver, daemon, waits=False):
    """Waits for the page of the result, or for the one that waits for it and then reloads itself; returns its text."""
    def text(driver):
        page = driver.execute_script(PAGE)
        is_it = page["url"].startswith(f"{daemon.origin}/__/auth/done") and page["isComplete"] and page["waits"] == waits
        return page["text"] if is_it else None
    return wait(driver, text, 30)


def nothing_secret(driver, daemon):
    """Neither the address bar nor the history nor the page contains the parameters of the redirect."""
    assert re.fullmatch(rf"{re.escape(daemon.origin)}/__/auth/done\?page=[\w-]+", driver.current_url)
    history = driver.execute_cdp_cmd("Page.getNavigationHistory", {})["entries"]
    assert not [entry["url"] for entry in history if "code=" in entry["url"]]
    assert "code=" not in driver.page_source


def luminance(driver):
    colour = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    if colour in ("rgba(0, 0, 0, 0)", "transparent"):
        colour = driver.execute_script("return getComputedStyle(document.documentElement).backgroundColor")
    return sum(map(float, re.findall(r"[\d.]+", colour)[:3])) / 765

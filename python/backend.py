"""Makes the wheel that `pip install ./python` installs: without setuptools, so also offline.

The shared library goes into it when it is there: that of CAXTON_BOOKS_LIBRARY or of ../build. Else
the module looks for it when it is imported (_library.py). Source: PEP 517, PEP 427.
"""

import base64
import hashlib
import os
import pathlib
import re
import sys
import sysconfig
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "caxton_books"
LIBRARY = "libcaxton_books.dll" if sys.platform == "win32" else "libcaxton_books.so"


def _project(name):
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        return re.search(rf'^{name} = "(.*)"$', file.read(), re.MULTILINE).group(1)


def _files():
    """(name in the wheel, path) of the module and, where it is, the library."""
    folder = os.path.join(HERE, PACKAGE)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py") or name == "py.typed":
            yield f"{PACKAGE}/{name}", os.path.join(folder, name)
    built = os.path.join(HERE, os.pardir, "build", LIBRARY)
    library = os.environ.get("CAXTON_BOOKS_LIBRARY") or built
    if os.path.exists(library):
        yield f"{PACKAGE}/{LIBRARY}", library


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    version = _project("version")
    files = list(_files())
    has_library = files[-1][0].endswith(LIBRARY)
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform()) if has_library else "any"
    info = f"{PACKAGE}-{version}.dist-info"
    texts = {
        "METADATA": f"Metadata-Version: 2.1\nName: {_project('name')}\nVersion: {version}\n"
        f"Summary: {_project('description')}\nRequires-Python: {_project('requires-python')}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: caxton\n"
        f"Root-Is-Purelib: {str(not has_library).lower()}\nTag: py3-none-{platform}\n",
    }
    contents = [(name, pathlib.Path(path).read_bytes()) for name, path in files]
    contents += [(f"{info}/{name}", text.encode()) for name, text in texts.items()]
    name = f"{PACKAGE}-{version}-py3-none-{platform}.whl"
    record = ""
    path = os.path.join(wheel_directory, name)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for member, content in contents:
            wheel.writestr(member, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
            record += f"{member},sha256={digest.decode()},{len(content)}\n"
        wheel.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return name

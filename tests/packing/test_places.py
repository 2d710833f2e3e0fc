"""Where packs are kept: paths, commits, and objects of a server that speaks S3."""

from __future__ import annotations

import hashlib
import http.server
import os
import shutil
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from moto.moto_server.threaded_moto_server import ThreadedMotoServer

from benchhygiene import InputError, PackRefused, sources
from benchhygiene.sources.packing import publishing
from benchhygiene.sources.packing.fetching import fetch
from benchhygiene.sources.packing.signatures import sign
from benchhygiene.sources.packing.stores import Bucket
from benchhygiene.sources.packing.uris import Uri, parse
from tests.packing.samples import archive
from tests.packing.test_signing import allowed, key, public

DIGEST = "0" * 64
COMMIT = "a" * 40
STUCK, OVER = threading.Event(), threading.Event()
SECRET = "wJalrXUtnFEMI-not-a-key"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Start a server of S3's protocol on loopback, with one bucket."""
    found = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    found.start()
    host, port = found.get_host_and_port()
    request = urllib.request.Request(f"http://{host}:{port}/oracles", method="PUT")
    with urllib.request.urlopen(request):
        pass
    yield f"http://{host}:{port}"
    found.stop()


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    for name, value in {
        "AWS_ENDPOINT": server,
        "AWS_ALLOW_HTTP": "true",
        "AWS_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": SECRET,
    }.items():
        monkeypatch.setenv(name, value)
    return f"s3://oracles/{tmp_path.name}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pack", Uri("", "pack")),
        ("a#b.tar", Uri("", "a#b.tar")),
        (f"p.tar#sha256={DIGEST}", Uri("", "p.tar", DIGEST)),
        (f"d/{DIGEST}.tar", Uri("", f"d/{DIGEST}.tar", DIGEST)),
        (f"git+/r@{COMMIT}:a/p.tar", Uri("git", "/r", None, COMMIT, "a/p.tar")),
        (f"git+r@x@{COMMIT}", Uri("git", "r@x", None, COMMIT, "")),
        (f"s3://b/p.tar#sha256={DIGEST}", Uri("s3", "s3://b/p.tar", DIGEST)),
        (
            f"https://h/{DIGEST}.tar?token=1",
            Uri("https", f"https://h/{DIGEST}.tar?token=1", DIGEST),
        ),
    ],
)
def test_a_place_is_read(text: str, expected: Uri) -> None:
    assert parse(text) == expected
    assert "token" not in str(parse(text))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("p#sha256=12", "64 hexadecimal digits"),
        (f"p#SHA256={DIGEST}", "64 hexadecimal digits"),
        (f"{'1' * 64}.tar#sha256={DIGEST}", "named by another digest"),
        ("git+/r@main:p", "by its full id"),
        ("git+/r@abc123", "by its full id"),
        ("ftp://h/p", "not a place that packs are kept"),
        ("file:///p", "not a place that packs are kept"),
        (f"https://me:{SECRET}@h/p", "has credentials in it"),
        (f"s3://{SECRET}@b/p", "has credentials in it"),
        ("s3:///p", "expected a bucket"),
    ],
)
def test_a_place_that_is_none_is_one_error_without_secrets(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        parse(text)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("scheme", ["s3", "gs", "az", "https"])
def test_an_object_without_a_digest_is_not_taken(tmp_path: Path, scheme: str) -> None:
    with pytest.raises(InputError, match="expected a digest"):
        sources.pack(f"{scheme}://oracles/pack.tar")
    with pytest.raises(InputError, match="expected a digest"):
        fetch(parse(f"{scheme}://oracles/pack.tar"), str(tmp_path))


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs OpenSSH")
def test_a_pack_goes_into_a_store_and_comes_out_again(tmp_path: Path, bucket: str) -> None:
    found, own = archive(tmp_path), key(tmp_path)
    sign(found, str(own), "ssh")
    first = publishing.push(found, parse(bucket))
    assert first.uri == f"{bucket}/{found.sha256}.tar#sha256={found.sha256}"
    assert not first.was_there
    assert publishing.push(found, parse(bucket)).was_there
    keys = allowed(tmp_path, f"ann {public(own)}")
    pack = sources.pack(first.uri, allowed_signers=keys)
    assert pack == sources.pack(found.path)
    assert pack.signers == ("ann",)
    kept = pack.directory
    assert kept is not None
    assert pack.files.read("fixtures/rows.bin") == bytes(range(256))
    del pack
    assert not os.path.exists(os.path.dirname(kept))
    cache = tmp_path / "cache"
    cache.mkdir()
    for _ in range(2):
        cached = sources.pack(first.uri, allowed_signers=keys, cache=cache)
        assert cached.directory == str(cache / f"{found.sha256}.tar")
    assert fetch(parse(first.uri), str(tmp_path / "got.tar")).sha256 == found.sha256


def test_an_object_is_never_written_over(tmp_path: Path, bucket: str) -> None:
    found = archive(tmp_path)
    name = f"{found.sha256}.tar"
    Bucket.of(parse(bucket), name).replace(b"somebody else's")
    with pytest.raises(InputError, match="is there already and holds something else"):
        publishing.push(found, parse(bucket))
    assert b"".join(Bucket.of(parse(bucket), name).chunks(100)) == b"somebody else's"


def test_an_object_that_was_tampered_with_leaves_nothing(tmp_path: Path, bucket: str) -> None:
    found = archive(tmp_path)
    uri = publishing.push(found, parse(bucket)).uri
    whole = bytearray(Path(found.path).read_bytes())
    whole[-1500] ^= 1
    Bucket.of(parse(bucket), f"{found.sha256}.tar").replace(bytes(whole))
    out = tmp_path / "out"
    out.mkdir()
    with pytest.raises(PackRefused, match="the archive's SHA-256 is") as caught:
        fetch(parse(uri), str(out))
    assert caught.value.pack == uri.partition("#")[0]
    with pytest.raises(PackRefused):
        sources.pack(uri, cache=out)
    assert list(out.iterdir()) == []


def test_what_is_not_there_is_one_error_without_secrets(tmp_path: Path, bucket: str) -> None:
    with pytest.raises(InputError, match="there is no such object"):
        fetch(parse(f"{bucket}/{DIGEST}.tar"), str(tmp_path))
    with pytest.raises(InputError, match=r"cannot be (read|written)") as caught:
        publishing.push(archive(tmp_path), parse("s3://no-such-bucket/x"))
    assert SECRET not in str(caught.value)
    assert "AKIAEXAMPLE" not in str(caught.value)


class _Cut(http.server.BaseHTTPRequestHandler):
    """Hand out a file, of which the last bytes never come where the path says ``cut``."""

    def do_GET(self) -> None:
        data = Path(self.server.file).read_bytes()  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:-700] if "cut" in self.path or "stuck" in self.path else data)
        if "stuck" in self.path:
            self.wfile.flush()
            self.server.stuck.set()  # type: ignore[attr-defined]
            self.server.over.wait(60)  # type: ignore[attr-defined]

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Serve an archive over HTTP; return the server's address and the digest."""
    found = archive(tmp_path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Cut) as served:
        served.file = found.path  # type: ignore[attr-defined]
        served.stuck, served.over = STUCK, OVER  # type: ignore[attr-defined]
        STUCK.clear()
        OVER.clear()
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_address[1]}", found.sha256
        OVER.set()
        served.shutdown()
        thread.join()


def test_a_pack_comes_over_http(tmp_path: Path, site: tuple[str, str]) -> None:
    address, digest = site
    out = tmp_path / "got.tar"
    assert fetch(parse(f"{address}/p.tar?token=1#sha256={digest}"), str(out)).sha256 == digest
    assert hashlib.sha256(out.read_bytes()).hexdigest() == digest


def test_a_download_that_breaks_off_leaves_nothing(tmp_path: Path, site: tuple[str, str]) -> None:
    address, digest = site
    out = tmp_path / "out"
    out.mkdir()
    with pytest.raises(InputError):
        fetch(parse(f"{address}/cut/p.tar#sha256={digest}"), str(out / "got.tar"))
    assert list(out.iterdir()) == []


def test_a_download_that_is_killed_leaves_nothing_believable(
    tmp_path: Path, site: tuple[str, str]
) -> None:
    address, digest = site
    out = tmp_path / "out"
    out.mkdir()
    uri = f"{address}/stuck/p.tar#sha256={digest}"
    words = [sys.executable, "-P", "-m", "benchhygiene", "pack", "fetch", uri]
    with subprocess.Popen([*words, "--out", out / "got.tar"]) as process:
        assert STUCK.wait(60)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert [path for path in out.rglob("*.tar") if path.is_file()] == []


def test_what_is_served_or_committed_is_not_pushed_to(tmp_path: Path) -> None:
    found = archive(tmp_path)
    for place in ("https://h/x", f"git+/r@{COMMIT}"):
        with pytest.raises(InputError, match="cannot be pushed to"):
            publishing.push(found, parse(place))
    with pytest.raises(InputError, match="not a directory"):
        publishing.push(found, parse(str(tmp_path / "nowhere")))


def test_an_upload_that_breaks_off_leaves_nothing_believable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = archive(tmp_path)
    store = tmp_path / "store"
    store.mkdir()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left"):
        publishing.push(found, parse(str(store)))
    assert list(store.iterdir()) == []
    monkeypatch.undo()
    assert not publishing.push(found, parse(str(store))).was_there
    assert publishing.push(found, parse(str(store))).was_there


def _git(repository: Path, *words: str) -> str:
    identity = ["-c", "user.name=ann", "-c", "user.email=ann@example.org"]
    done = subprocess.run(
        ["git", *identity, *words], cwd=repository, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_a_pack_comes_out_of_a_commit_as_archive_or_directory(tmp_path: Path) -> None:
    found = archive(tmp_path)
    repository = tmp_path / "repository"
    repository.mkdir()
    shutil.copytree(tmp_path / "laid-out", repository / "packs" / "arena")
    shutil.copy(found.path, repository / "pack.tar")
    _git(repository, "init", "-q")
    _git(repository, "add", "-A")
    _git(repository, "commit", "-qm", "packs")
    commit = _git(repository, "rev-parse", "HEAD")
    for path in ("pack.tar", "packs/arena"):
        uri = f"git+{repository}@{commit}:{path}"
        assert sources.pack(uri) == sources.pack(found.path)
        assert sources.pack(f"{uri}#sha256={found.sha256}").archive_sha256 == found.sha256
        with pytest.raises(PackRefused, match="SHA-256"):
            sources.pack(f"{uri}#sha256={DIGEST}")
    with pytest.raises(InputError, match="no such file or directory"):
        sources.pack(f"git+{repository}@{commit}:nowhere")
    with pytest.raises(InputError, match="not in the repository"):
        sources.pack(f"git+{repository}@{COMMIT}:pack.tar")
    (repository / "packs" / "arena" / "tests" / "test_a.py").write_text("def test_a(): ...\n")
    _git(repository, "commit", "-qam", "weaker")
    weaker = _git(repository, "rev-parse", "HEAD")
    with pytest.raises(PackRefused, match=r"test_a\.py: its SHA-256"):
        sources.pack(f"git+{repository}@{weaker}:packs/arena")

"""The commands ``benchhygiene pack ...``: each ends with 0, with 1 and every fault, or with 2."""

from __future__ import annotations

import datetime
import os
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager

from benchhygiene import sources
from benchhygiene.cli import pack_grammars as grammars
from benchhygiene.cli.app import Command
from benchhygiene.cli.output import write_stream
from benchhygiene.cli.pack_showing import (
    archive_document,
    faults_document,
    lines_of,
    pack_document,
    render,
)
from benchhygiene.cli.parsing import Given
from benchhygiene.core.json import JSON
from benchhygiene.errors import InputError, PackRefused
from benchhygiene.evidence.pack import LEDGER, WAIVERS, PackOrigin, WitnessPack
from benchhygiene.evidence.tree import SourceTree
from benchhygiene.sources import pack_files
from benchhygiene.sources.pack_walk import PackLimits
from benchhygiene.sources.packing import building, publishing, signatures, statements
from benchhygiene.sources.packing.archives import SUFFIX, Archive
from benchhygiene.sources.packing.contents import Measured, sealed
from benchhygiene.sources.packing.fetching import fetch
from benchhygiene.sources.packing.loading import Demands, signed_by
from benchhygiene.sources.packing.signers import Trust
from benchhygiene.sources.packing.uris import Uri, parse
from benchhygiene.sources.packing.verifying import verify
from benchhygiene.sources.reading import read_regular, reason_of
from benchhygiene.sources.trees import TreeLimits

_REFUSED = 1


def _telling(run: Callable[[Given], int]) -> Callable[[Given], int]:
    """Let a refused pack end the command with 1 and a line for every fault."""

    def guarded(given: Given) -> int:
        try:
            return run(given)
        except PackRefused as error:
            document = faults_document(error)
            write_stream(render(document, given.format, lines_of))
            return _REFUSED

    return guarded


def _say(given: Given, document: dict[str, JSON]) -> int:
    write_stream(render(document, given.format, lines_of))
    return 0


def _init(given: Given) -> int:
    (directory,) = given.arguments
    building.init(directory)
    return 0


def _build(given: Given) -> int:
    (tree,) = given.arguments
    out = given.value("--out")
    notes: tuple[str, ...] = ()
    if given.has("--laid-out"):
        if out is None:
            building.seal(tree, _stated(given))
            return _say(given, pack_document(sources.pack(tree), ()))
        contents = building.laid_out(tree, _stated(given))
    else:
        contents, notes = _chosen(tree, given)
    if out is None:
        raise InputError("--out is missing; expected where to put the pack")
    if given.has("--archive"):
        os.makedirs(out, exist_ok=True)
        return _say(given, archive_document(building.archive(contents, out), notes))
    if out.endswith(SUFFIX):
        return _say(given, archive_document(building.archive(contents, out), notes))
    building.lay_out(contents, out)
    return _say(given, pack_document(sources.pack(out), notes))


def _chosen(revision: str, given: Given) -> tuple[dict[str, Measured], tuple[str, ...]]:
    from benchhygiene.cli.pack_contents import choose, unmatched

    tree = _tree(revision, given)
    globs = (*given.values("--include"), *given.values("--exclude"))
    for glob in unmatched(tree, globs):
        raise InputError(f"--include or --exclude {glob}: matches no file of the tree")
    handed = {
        path: _file(given, option, read)
        for path, option, read in (
            (LEDGER, "--ledger", pack_files.ledger),
            (WAIVERS, "--waivers", pack_files.waivers),
        )
        if given.value(option) is not None
    }
    found = choose(tree, given.values("--include"), given.values("--exclude"), handed)
    if not any(path.endswith(".py") for path in found.contents):
        raise InputError(f"{revision}: there is no test in the tree; --include GLOB names more")
    return sealed(found.contents, _origin(revision, given)), found.passed_over


def _tree(revision: str, given: Given) -> SourceTree:
    limits = TreeLimits(file_bytes=PackLimits().file_bytes)
    if given.git is None:
        return sources.tree(revision, limits=limits)
    return sources.tree(given.git, revision=revision, limits=limits)


def _file(given: Given, option: str, read: Callable[[bytes, str], object]) -> bytes:
    """Return the bytes of a file that an option names, once they can be understood."""
    path = given.value(option) or ""
    try:
        data = read_regular(path, PackLimits().parsed_bytes)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "not a path"
        raise InputError(f"{option} {path}: cannot be read: {reason}") from error
    read(data, path)
    return data


def _origin(revision: str, given: Given) -> PackOrigin | None:
    from benchhygiene.sources.history import commit

    found = None if given.git is None else commit(given.git, revision)
    stated = _stated(given)
    if found is None:
        return stated
    repository, days = (None, None) if stated is None else (stated.repository, stated.max_age_days)
    return PackOrigin(repository, found.identity, found.committed, days)


def _stated(given: Given) -> PackOrigin | None:
    repository, days = given.value("--repository"), given.value("--max-age")
    if repository is None and days is None:
        return None
    if days is not None and not (days.isascii() and days.isdigit() and 0 < int(days) < 1_000_000):
        raise InputError(f"--max-age {days}: expected a number of days")
    if repository is not None and not (repository.isascii() and repository.strip() == repository):
        raise InputError(f"--repository {repository!r}: expected plain characters on one line")
    return PackOrigin(repository, max_age_days=None if days is None else int(days))


def _verify(given: Given) -> int:
    (place,) = given.arguments
    return _say(given, pack_document(_pack(place, given), _unasked(place, given)))


def _show(given: Given) -> int:
    (place,) = given.arguments
    if given.has("--statement"):
        with _archive(place, given) as archive:
            write_stream(statements.statement(archive).decode())
        return 0
    return _say(given, pack_document(_pack(place, given), (), with_files=True))


def _pack(place: str, given: Given) -> WitnessPack:
    if given.value("--revoked") is not None and given.value("--allowed-signers") is None:
        raise InputError("--revoked needs --allowed-signers: nobody's signature was asked for")
    return sources.pack(
        place,
        allowed_signers=given.value("--allowed-signers"),
        revoked=given.value("--revoked"),
        at=_time(given),
    )


def _unasked(place: str, given: Given) -> tuple[str, ...]:
    """Say that signatures lie there which nobody has asked to look at."""
    uri = parse(place)
    there = uri.is_local and any(
        os.path.exists(uri.location + suffix) for suffix in signatures.SUFFIXES
    )
    asked = given.value("--allowed-signers") is not None
    return () if asked or not there else ("its signature was not looked at: --allowed-signers",)


def _time(given: Given) -> datetime.datetime | None:
    if given.date is None:
        return None
    noon = datetime.time(12, tzinfo=datetime.UTC)
    return datetime.datetime.combine(sources.as_of(given.date).date, noon)


def _demands(given: Given) -> Demands:
    allowed = given.value("--allowed-signers")
    trust = None if allowed is None else Trust.read(allowed, given.value("--revoked"))
    return Demands(PackLimits(), trust, _time(given))


@contextmanager
def _archive(place: str, given: Given) -> Generator[Archive]:
    """Hand out a verified archive, as it lies there or for as long as it is needed."""
    uri = parse(place)
    if uri.is_local and not uri.is_directory:
        archive = verify(uri.location, sha256=uri.sha256)
        signed_by(archive, _demands(given))
        yield archive
        return
    with tempfile.TemporaryDirectory() as folder:
        archive = fetch(uri, folder)
        signed_by(archive, _demands(given))
        yield archive


def _sign(given: Given) -> int:
    (place,) = given.arguments
    key = given.value("--key")
    if key is None:
        raise InputError("--key is missing; expected the file of a private key")
    uri = _local(parse(place), "a signature is put beside it")
    archive = verify(uri.location, sha256=uri.sha256)
    write_stream(f"{signatures.sign(archive, key, given.value('--style') or 'ssh')}\n")
    return 0


def _local(uri: Uri, why: str) -> Uri:
    if not uri.is_local or uri.is_directory:
        raise InputError(f"{uri}: expected an archive of this machine: {why}")
    return uri


def _push(given: Given) -> int:
    place, destination = given.arguments
    with _archive(place, given) as archive:
        found = publishing.push(archive, parse(destination))
        notes = ("it was there already",) if found.was_there else ()
        return _say(given, {**archive_document(archive, notes), "uri": found.uri})


def _fetch(given: Given) -> int:
    (place,) = given.arguments
    out, unpack = given.value("--out"), given.value("--unpack")
    if out is None and unpack is None:
        raise InputError("--out is missing; expected where to put the archive")
    uri = parse(place)
    with tempfile.TemporaryDirectory(dir=None if out is None else _folder(out)) as folder:
        archive = fetch(uri, folder)
        signed_by(archive, _demands(given))
        if unpack is not None:
            sources.unpacked(sources.pack(archive.path), unpack)
        if out is not None:
            archive = fetch(parse(archive.path), out)
        return _say(given, archive_document(archive, ()))


def _folder(out: str) -> str:
    folder = out if os.path.isdir(out) else os.path.dirname(out) or os.curdir
    if not os.path.isdir(folder):
        raise InputError(f"--out {out}: there is no directory {folder}")
    return folder


COMMANDS: Mapping[str, Command] = {
    "init": Command(grammars.INIT, _init),
    "build": Command(grammars.BUILD, _telling(_build)),
    "verify": Command(grammars.VERIFY, _telling(_verify)),
    "show": Command(grammars.SHOW, _telling(_show)),
    "sign": Command(grammars.SIGN, _telling(_sign)),
    "push": Command(grammars.PUSH, _telling(_push)),
    "fetch": Command(grammars.FETCH, _telling(_fetch)),
}

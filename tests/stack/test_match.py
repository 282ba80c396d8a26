"""A match of eight on the real stack: what was answered is what was played, and anybody can check it."""

import base64
import json
import random
import re
from collections import Counter, defaultdict
from datetime import datetime
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from shared import canonical, proof
from shared.cli.main import run
from shared.lastwaters.ruleset import RULESET
from tests.stack.client import Event, Json
from tests.stack.playing import TICKS, Played
from tests.stack.stacks import environment, lastwaters

AROUND_A_DEADLINE = {"tick-closed", "match-ended", "rate-limited", "too-many-orders", *RULESET.reasons}
REAL_PROCESSES = 3


@pytest.fixture(scope="module")
def export(played: Played) -> Json:
    found: Json = json.loads(played.export)
    return found


def test_the_match_has_gone_all_the_way(played: Played, export: Json) -> None:
    assert played.lobby["status"] == "lobby" and played.lobby["tick"] == 0
    assert played.detail["status"] == "ended"
    assert played.detail["result"] == export["result"]
    assert export["result"]["tick"] == played.detail["tick"] == len(export["ticks"]) - 1 <= TICKS
    assert played.detail["seed"] == export["seed"]
    assert proof.commitment(export["seed"]) == played.lobby["seed_commitment"] == export["commitment"]
    assert "seed" not in played.lobby


def test_what_was_accepted_counts_in_its_tick_and_nothing_else(played: Played, export: Json) -> None:
    assert played.hammer.errors == []
    filed = {each.order: each for each in played.hammer.tries if each.kind == "file" and each.order}
    cancelled = {
        each.order for each in played.hammer.tries if each.kind == "cancel" and each.answer.status == 200
    }
    stands = {
        order: each.answer.body["receipt"]["tick"] for order, each in filed.items() if order not in cancelled
    }
    sealed = {
        order["id"]: entry["tick"]
        for entry in export["ticks"][1:]
        for order in entry["orders"]
        if order["faction"] == played.busy
    }
    results = {
        result["order"]: entry["tick"]
        for entry in export["ticks"][1:]
        for result in entry["results"]
        if result["faction"] == played.busy
    }
    listed = {
        order["id"]: tick
        for (faction, tick), orders in played.own_orders.items()
        if faction == played.busy
        for order in orders
        if order["result"]["status"] in ("done", "failed")
    }
    assert stands == sealed == results == listed
    assert cancelled <= filed.keys()
    for each in filed.values():
        assert each.answer.body["receipt"]["tick"] == each.answer.body["tick"] == each.tick
    # The hammering was one.
    assert len(cancelled) > TICKS and len(stands) > TICKS and len(set(stands.values())) > TICKS / 2


def test_every_other_answer_says_why(played: Played, export: Json) -> None:
    last_ran_at = datetime.fromisoformat(export["ticks"][-1]["ran_at"])
    refused = [each for each in played.hammer.tries if not each.answer.accepted]
    codes = Counter(str(each.answer.code) for each in refused)
    assert set(codes) <= AROUND_A_DEADLINE, codes
    assert codes["tick-closed"] > TICKS and codes["match-ended"] > 0
    for each in refused:
        assert each.order is None or each.kind == "cancel"
        if each.answer.code == "match-ended":
            assert each.answered_at > last_ran_at
        if each.answer.code == "tick-closed":
            assert {"open_tick", "next_deadline"} <= each.answer.body.keys()
            assert each.answer.body["open_tick"] != each.tick


def test_a_list_replaced_in_one_step_counts_whole(played: Played, export: Json) -> None:
    texts = {
        canonical.text(order)
        for entry in export["ticks"][1:]
        for order in entry["orders"]
        if order["faction"] == played.quiet
    }
    assert {receipt["text"] for receipt in played.receipts} == texts
    assert texts


def test_receipts_are_signed_by_the_published_keys(played: Played) -> None:
    keys = {
        key["id"]: Ed25519PublicKey.from_public_bytes(base64.b64decode(key["public_key"]))
        for key in played.keys
    }
    accepted = [each.answer.body["receipt"] for each in played.hammer.tries if each.answer.accepted]
    assert {receipt["kind"] for receipt in accepted} == {"filed", "cancelled"}
    for receipt in [*accepted, *played.receipts]:
        assert receipt["sha256"] == proof.sha256(receipt["text"])
        statement = {name: value for name, value in receipt.items() if name != "signature"}
        signature = base64.b64decode(receipt["signature"])
        keys[receipt["key"]].verify(signature, canonical.encode(statement))
        with pytest.raises(InvalidSignature):
            forged = canonical.encode({**statement, "tick": statement["tick"] + 1})
            keys[receipt["key"]].verify(signature, forged)


def test_reports_prove_what_was_sealed_and_chain_the_states(played: Played, export: Json) -> None:
    previous = ""
    for entry in export["ticks"]:
        tick = entry["tick"]
        digests = entry.get("digests", {})
        previous = proof.state_hash(
            canonical.text(entry["snapshot"]),
            previous,
            (digests[faction["id"]] for faction in entry["snapshot"]["factions"] if digests),
            export["rules_version"],
        )
        assert entry["hash"] == previous
        if tick == 0:
            continue
        texts = defaultdict(list)
        for order in entry["orders"]:
            texts[order["faction"]].append(canonical.text(order))
        for faction, digest in digests.items():
            assert proof.digest(entry["nonces"][faction], texts[faction]) == digest
            report = played.reports[faction, tick]
            if report is None:
                continue
            assert report["digests"] == digests
            assert report["state_hash"] == previous
            assert report["nonce"] == entry["nonces"][faction]
            assert report["sealed"] == texts[faction]
            others = {nonce for each, nonce in entry["nonces"].items() if each != faction}
            assert not any(nonce in json.dumps(report) for nonce in others)


def test_the_stream_tells_everything_once_over_a_cut(played: Played, export: Json) -> None:
    ids = [event.id for event in played.streamed]
    assert ids == list(range(ids[0], ids[-1] + 1))
    again = [event for event in played.again if event.id >= ids[0]]
    assert [event.id for event in played.again] == list(range(1, played.again[-1].id + 1))
    assert again[: len(played.streamed)] == played.streamed

    def told(kind: str) -> list[Event]:
        return [event for event in played.streamed if event.kind == kind]

    last = len(export["ticks"]) - 1
    assert [event.data["tick"] for event in told("tick")] == list(range(last + 1))
    assert {event.data["tick"] for event in told("deadline")} == set(range(1, last + 1))
    assert [event.data["with"] for event in told("message")] == [played.busy] * last
    states = [event.data["status"] for event in told("match")]
    assert list(dict.fromkeys(states)) == ["lobby", "running", "ended"]


def test_the_export_verifies(played: Played, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(played.export)
    verified = lastwaters(environment({}), "verify", str(file))
    assert (verified.returncode, verified.stderr) == (0, "")
    assert json.loads(verified.stdout)["ok"]


def test_one_flipped_digit_anywhere_is_found_and_named(
    played: Played, tmp_path: Path, seed: int, capfd: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(seed)
    file = tmp_path / "flipped.json"
    places = sample_of_digits(chance, played.export)
    print(f"seed {seed}, {len(places)} places")
    missed = {}
    for number, place in enumerate(places):
        digit = chance.choice([each for each in "0123456789" if each != played.export[place]])
        file.write_text(played.export[:place] + digit + played.export[place + 1 :])
        if number < REAL_PROCESSES:
            done = lastwaters(environment({}), "verify", str(file))
            code, said = done.returncode, done.stderr
        else:
            capfd.readouterr()
            code = run(["verify", str(file)])
            said = capfd.readouterr().err
        named = re.match(r"lastwaters: (?!Traceback)\S+.*: .+", said)
        if code not in (1, 2) or not named:
            missed[played.export[place - 40 : place + 20]] = (digit, code, said)
    assert missed == {}


def sample_of_digits(chance: random.Random, text: str) -> list[int]:
    """Offsets of digits: three of every kind of field, shuffled, a kind being its path without numbers in it."""
    kinds: dict[str, list[int]] = defaultdict(list)
    path: list[str] = []
    key = ""
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+|[{}\[\],]', text):
        found = token.group()
        if token.group(1):
            key = found
            continue
        if found in "{[":
            path.append(re.sub(r"\d+", "#", key))
            key = ""
        elif found in "}]":
            path.pop()
        elif found != ",":
            digits = [token.start() + at for at, letter in enumerate(found) if letter.isdigit()]
            if digits:
                kinds["/".join([*path, re.sub(r"\d+", "#", key)])].append(chance.choice(digits))
        if found != "{":
            key = key if found in "[" else ""
    places = [place for offsets in kinds.values() for place in chance.sample(offsets, min(3, len(offsets)))]
    chance.shuffle(places)
    return places

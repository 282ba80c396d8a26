"""What a player does against messages: blocks an account everywhere, or switches a match's off. Nobody is told."""

from services.messaging import store
from services.messaging.parties import seated
from shared.contracts.accounts import AccountDeleted
from shared.contracts.base import Refusal
from shared.contracts.messaging import BlockAccount, BlockedAccounts, SwitchOff, UnblockAccount
from shared.runtime.service import Ports
from shared.storage.database import Transaction


def block(ports: Ports, request: BlockAccount) -> None:
    if request.account == request.blocked:
        raise Refusal("self", "You cannot block yourself.")
    with ports.database.begin() as tx:
        store.add_block(tx, request.account, request.blocked, ports.clock.now())


def unblock(ports: Ports, request: UnblockAccount) -> None:
    mine = store.blocks.c
    with ports.database.begin() as tx:
        store.remove_blocks(tx, (mine.account == request.account) & (mine.blocked == request.blocked))


def list_blocks(ports: Ports, account: str) -> BlockedAccounts:
    with ports.database.read() as tx:
        return BlockedAccounts(ids=store.blocked_by(tx, account))


def switch_off(ports: Ports, request: SwitchOff) -> None:
    with ports.database.begin() as tx:
        desk = seated(tx, request.account, request.match)
        store.change_party(tx, desk.match.id, desk.faction, off=request.off)


def account_deleted(tx: Transaction, event: AccountDeleted) -> None:
    gone = store.blocks.c
    store.remove_blocks(tx, (gone.account == event.account) | (gone.blocked == event.account))

"""Private messages between the factions of a match."""

from collections.abc import Sequence
from datetime import timedelta

from services.messaging import following, reading, refusing, sending, store
from shared.contracts.accounts import AccountDeleted
from shared.contracts.base import Nothing
from shared.contracts.lobby import MatchClosed, MatchStarted
from shared.contracts.messaging import (
    BlockAccount,
    BlockedAccounts,
    Conversations,
    ListBlocks,
    ListConversations,
    ListMessages,
    MarkRead,
    MessagePage,
    SendMessage,
    Sent,
    SwitchOff,
    UnblockAccount,
)
from shared.contracts.resolution import TickResolved
from shared.runtime.service import Service, every, handles, rpc
from shared.storage.database import Transaction

SWEEP_SECONDS = 60.0
SWEPT_AT_ONCE = 500
KEEP_REFUSED = timedelta(minutes=30)


class MessagingService(Service):
    name = "messaging"

    @rpc
    def send_message(self, request: SendMessage) -> Sent:
        return sending.send(self.ports, request)

    @rpc
    def list_messages(self, request: ListMessages) -> MessagePage:
        return reading.list_messages(self.ports, request)

    @rpc
    def list_conversations(self, request: ListConversations) -> Conversations:
        return reading.list_conversations(self.ports, request)

    @rpc
    def mark_read(self, request: MarkRead) -> Nothing:
        reading.mark_read(self.ports, request)
        return Nothing()

    @rpc
    def switch_off(self, request: SwitchOff) -> Nothing:
        refusing.switch_off(self.ports, request)
        return Nothing()

    @rpc
    def block_account(self, request: BlockAccount) -> Nothing:
        refusing.block(self.ports, request)
        return Nothing()

    @rpc
    def unblock_account(self, request: UnblockAccount) -> Nothing:
        refusing.unblock(self.ports, request)
        return Nothing()

    @rpc
    def list_blocks(self, request: ListBlocks) -> BlockedAccounts:
        return refusing.list_blocks(self.ports, request.account)

    @handles
    def match_started(self, event: MatchStarted, tx: Transaction) -> None:
        following.match_started(tx, event)

    @handles
    def tick_resolved(self, events: Sequence[TickResolved], tx: Transaction) -> None:
        following.ticks_resolved(tx, events)

    @handles
    def match_closed(self, event: MatchClosed, tx: Transaction) -> None:
        following.match_closed(tx, event)

    @handles
    def account_deleted(self, event: AccountDeleted, tx: Transaction) -> None:
        refusing.account_deleted(tx, event)

    @every(SWEEP_SECONDS)
    def forget_refused(self) -> None:
        """Messages that could not be delivered are of no use to anybody."""
        forgotten = SWEPT_AT_ONCE
        # A fixed number each round could be fewer than come in until the next one.
        while forgotten >= SWEPT_AT_ONCE:
            with self.database.begin() as tx:
                forgotten = store.forget_refused(tx, tx.now() - KEEP_REFUSED, SWEPT_AT_ONCE)

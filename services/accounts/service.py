"""Accounts, their passwords and sessions."""

from services.accounts import handles, membership, sessions
from services.accounts.passwords import Passwords
from shared.contracts.accounts import (
    Account,
    AccountName,
    AccountNames,
    Authenticate,
    ChangePassword,
    CreateAccount,
    DeleteAccount,
    DisableAccount,
    FindHandle,
    NameAccounts,
    NewPassword,
    ResetPassword,
    Session,
    SignIn,
    SignOut,
)
from shared.contracts.base import Nothing
from shared.runtime.service import Ports, Service, every, rpc

SWEEP_SECONDS = 600.0


class AccountsService(Service):
    name = "accounts"

    def __init__(self, ports: Ports) -> None:
        super().__init__(ports)
        self.passwords = Passwords(ports)

    @rpc
    def create_account(self, request: CreateAccount) -> Account:
        return membership.create(self.ports, self.passwords, request)

    @rpc
    def sign_in(self, request: SignIn) -> Session:
        return sessions.sign_in(self.ports, self.passwords, request)

    @rpc
    def authenticate(self, request: Authenticate) -> Session:
        return sessions.authenticate(self.ports, request.token_digest)

    @rpc
    def sign_out(self, request: SignOut) -> Nothing:
        sessions.sign_out(self.ports, request.token_digest)
        return Nothing()

    @rpc
    def change_password(self, request: ChangePassword) -> Nothing:
        membership.change_password(self.ports, self.passwords, request)
        return Nothing()

    @rpc
    def delete_account(self, request: DeleteAccount) -> Nothing:
        membership.delete(self.ports, self.passwords, request)
        return Nothing()

    @rpc
    def find_handle(self, request: FindHandle) -> AccountName:
        return handles.find(self.database, request.handle)

    @rpc
    def name_accounts(self, request: NameAccounts) -> AccountNames:
        return handles.name(self.database, request.ids)

    @rpc
    def reset_password(self, request: ResetPassword) -> NewPassword:
        return membership.reset_password(self.ports, self.passwords, request)

    @rpc
    def disable_account(self, request: DisableAccount) -> Nothing:
        membership.disable(self.ports, request.handle)
        return Nothing()

    @every(SWEEP_SECONDS)
    def forget_expired(self) -> None:
        sessions.sweep(self.ports)
        membership.sweep(self.ports)

import { accessContract } from '../../contract.console.ts'
import { createConsoleApi } from '../kit/api.ts'

const { passkeys, passkeyOptions, addPasskey, removePasskey, sessions, endSession, newRecovery, tokens, makeToken, revokeToken } = accessContract
export const ownApi = createConsoleApi({
  passkeys,
  passkeyOptions,
  addPasskey,
  removePasskey,
  sessions,
  endSession,
  newRecovery,
  tokens,
  makeToken,
  revokeToken,
})

import { accessContract } from '../../contract.console.ts'
import { consoleApi } from '../kit/api.ts'

const { passkeys, passkeyOptions, addPasskey, removePasskey, sessions, endSession, newRecovery, tokens, makeToken, revokeToken } = accessContract
export const ownApi = consoleApi({ passkeys, passkeyOptions, addPasskey, removePasskey, sessions, endSession, newRecovery, tokens, makeToken, revokeToken })

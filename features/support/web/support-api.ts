import { createApi } from '#platform/web/calls/api.ts'
import { supportContract } from '../contract.ts'
import { supportErrors } from '../errors.ts'
import { supportPageTexts } from '../texts.ts'

/** Sends every call alone, without batching: a message has its own id, and updates are polled. */
export const supportChatApi = createApi(supportContract, { errors: supportErrors, texts: supportPageTexts, alone: true })

import { createApi } from '#platform/web/calls/api.ts'
import { supportContract } from '../contract.ts'
import { supportErrors } from '../errors.ts'
import { supportPageTexts } from '../texts.ts'

/** A message has its own id and news are polled for: no call is joined with another. */
export const supportChatApi = createApi(supportContract, { errors: supportErrors, texts: supportPageTexts, alone: true })

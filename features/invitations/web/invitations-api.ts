import { createApi } from '#platform/web/calls/api.ts'
import { allErrors, invitationsContract } from '../contract.ts'
import { invitationTexts } from '../texts.ts'

export const invitationsApi = createApi(invitationsContract, { alone: true, errors: allErrors, texts: invitationTexts })

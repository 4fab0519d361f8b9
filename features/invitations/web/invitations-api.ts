import { createApi } from '#platform/web/calls/api.ts'
import { invitationsContract } from '../contract.ts'
import { fissionContract } from '../contract-fission.ts'
import { invitationCallErrors } from '../contract-shapes.ts'
import { invitationTexts } from '../texts.ts'

export const invitationsApi = createApi(invitationsContract, { alone: true, errors: invitationCallErrors, texts: invitationTexts })
export const fissionApi = createApi(fissionContract, { alone: true, errors: invitationCallErrors, texts: invitationTexts })

import { createApi } from '#platform/web/calls/api.ts'
import { invitationsContract } from '../contract.ts'
import { fissionContract } from '../contract-fission.ts'
import { allErrors } from '../contract-shapes.ts'
import { invitationTexts } from '../texts.ts'

export const invitationsApi = createApi(invitationsContract, { alone: true, errors: allErrors, texts: invitationTexts })
export const fissionApi = createApi(fissionContract, { alone: true, errors: allErrors, texts: invitationTexts })

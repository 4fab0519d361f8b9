import { createApi } from '#platform/web/calls/api.ts'
import { fissionContract } from '#features/invitations/contract-fission.ts'
import { paymentErrors } from '../../errors.ts'
import { paymentTexts } from '../../texts.ts'

/** API of withdrawable invitation rewards; for the withdrawal dialog alone, so that no other chunk carries it. */
export const rewardsApi = createApi({ getInvitationReward: fissionContract.getInvitationReward }, { alone: true, errors: paymentErrors, texts: paymentTexts })

import { z } from 'zod'
import { billingAddress } from '#features/cards/contract.ts'
import { defineContract } from '#platform/shared/contract.ts'
import { backofficeErrors } from '#features/backoffice/errors.ts'
import { cardErrors } from '#features/cards/errors.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { taskId } from '#features/services/contract.ts'
import { upgradeErrors } from './errors.ts'

export const upgradeDeskErrors = { ...serviceErrors, ...cardErrors, ...upgradeErrors, OPERATOR_STEP_UP: backofficeErrors.OPERATOR_STEP_UP }

/** Endpoints of the desk for upgrades, besides the service queue. */
export const upgradeDeskContract = defineContract(upgradeDeskErrors)({
  upgradeReveal: {
    method: 'POST',
    path: '/operator/services/upgrade/reveal',
    access: 'operator',
    permission: 'services.work',
    summary: 'The issuer’s own frame with the card of a task, once, to the person who has taken it; audited',
    input: z.object({ id: taskId, theme: z.enum(['light', 'dark']).default('light') }),
    reply: z.object({ url: z.string(), expiresTime: z.string(), billingAddress: billingAddress.nullable() }),
    errors: [
      ...(['OPERATOR_STEP_UP', 'SERVICE_TASK_UNKNOWN', 'SERVICE_TAKEN', 'SERVICE_MOVED_ON', 'UPGRADE_SHOWN', 'UPGRADE_CLOSED'] as const),
      ...(['CARD_NOT_READY', 'CARD_ISSUER_AWAY'] as const),
    ],
  },
})

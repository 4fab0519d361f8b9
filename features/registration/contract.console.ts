import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { registrationId } from './contract.ts'

/** Endpoints for operators besides the service queue. */
export const registrationDeskContract = defineContract(serviceErrors)({
  registrationReveal: {
    method: 'POST',
    path: '/operator/services/registration/reveal',
    access: 'operator',
    permission: 'services.work',
    summary: 'Account and password of an order, for the operator who took it, while it is registered; each reveal is audited',
    input: z.object({ id: registrationId }),
    reply: z.object({ account: z.string(), password: z.string() }),
    errors: ['SERVICE_TASK_UNKNOWN', 'SERVICE_TAKEN', 'SERVICE_MOVED_ON'],
  },
})

import { defineErrors } from '#platform/shared/errors.ts'

export const serviceErrors = defineErrors({
  SERVICE_UNKNOWN: { code: 3701, status: 404 },
  SERVICE_TASK_UNKNOWN: { code: 3702, status: 404 },
  /** `data.reason` is the reason entered at the desk; '' while the service is switched off. */
  SERVICE_PAUSED: { code: 3703, status: 200 },
  /** The task is in another state by now; the client reloads it. */
  SERVICE_MOVED_ON: { code: 3704, status: 200 },
  /** The user has the maximum number of concurrent tasks of the service. */
  SERVICE_TOO_MANY: { code: 3705, status: 200 },
  /** The draft no longer exists, or was paid. */
  SERVICE_NOT_PAYABLE: { code: 3706, status: 200 },
  /** Another operator holds the lease of the task until `data.until`. */
  SERVICE_TAKEN: { code: 3707, status: 200 },
  /** Trials are for accounts that have paid once or passed the identity check. */
  SERVICE_TRIAL_UNPAID: { code: 3708, status: 200 },
  /** Another account of the same person or browser has had the trial. */
  SERVICE_TRIAL_HAD: { code: 3709, status: 200 },
  /** The network has reached its daily limit of trials. */
  SERVICE_TRIAL_NETWORK: { code: 3710, status: 200 },
  /** The account owes `data.owed`. */
  SERVICE_TRIAL_DEBT: { code: 3714, status: 200 },
})

import { accountContract } from '#features/account/contract.ts'
import { createApi } from '#platform/web/calls/api.ts'

const sessionApi = createApi({ validateLogin: accountContract.validateLogin })

/** Whether the stored session is still valid. A file of its own, because contracts are no part of the first load. */
export const isSessionValid = async (): Promise<boolean> => (await sessionApi.validateLogin({}).catch(() => ({ valid: true }))).valid

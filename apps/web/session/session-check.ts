import { accountContract } from '#features/account/contract.ts'
import { createApi } from '#platform/web/calls/api.ts'

const sessionApi = createApi({ validateLogin: accountContract.validateLogin })

/** True if the stored session is still valid. In its own file, because contracts are not part of the first load. */
export const isSessionValid = async (): Promise<boolean> => (await sessionApi.validateLogin({}).catch(() => ({ valid: true }))).valid

import { supportDeskContract } from '#features/support/contract-desk.console.ts'
import { createConsoleApi } from '../kit/api.ts'

export const supportDeskApi = createConsoleApi(supportDeskContract)

import { supportDeskContract } from '#features/support/contract-desk.console.ts'
import { consoleApi } from '../kit/api.ts'

export const supportApi = consoleApi(supportDeskContract)

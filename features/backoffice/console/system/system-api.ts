import { systemContract } from '../../contract-system.console.ts'
import { createConsoleApi } from '../kit/api.ts'

export const systemApi = createConsoleApi(systemContract)

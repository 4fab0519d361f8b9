import { systemContract } from '../../contract-system.console.ts'
import { consoleApi } from '../kit/api.ts'

export const systemApi = consoleApi(systemContract)

import { moneyContract } from '../../contract-money.console.ts'
import { createConsoleApi } from '../kit/api.ts'

export const moneyApi = createConsoleApi(moneyContract)

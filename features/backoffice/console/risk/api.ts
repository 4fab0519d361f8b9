import { reviewContract } from '#features/invitations/contract.console.ts'
import { consoleApi } from '../kit/api.ts'

export const reviewApi = consoleApi(reviewContract)

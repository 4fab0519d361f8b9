import { reviewContract } from '#features/invitations/contract.console.ts'
import { createConsoleApi } from '../kit/api.ts'

export const reviewApi = createConsoleApi(reviewContract)

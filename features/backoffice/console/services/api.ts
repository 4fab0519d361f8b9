import { registrationDeskContract } from '#features/registration/contract.console.ts'
import { servicesDeskContract } from '#features/services/contract.console.ts'
import { upgradeDeskContract } from '#features/upgrade/contract.console.ts'
import { createConsoleApi } from '../kit/api.ts'

export const serviceDeskApi = createConsoleApi(servicesDeskContract)
export const upgradeDeskApi = createConsoleApi(upgradeDeskContract)
export const registrationDeskApi = createConsoleApi(registrationDeskContract)

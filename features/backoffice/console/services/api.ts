import { registrationDeskContract } from '#features/registration/contract.console.ts'
import { deskContract } from '#features/services/contract.console.ts'
import { upgradeDeskContract } from '#features/upgrade/contract.console.ts'
import { consoleApi } from '../kit/api.ts'

export const servicesApi = consoleApi(deskContract)
export const upgradeDeskApi = consoleApi(upgradeDeskContract)
export const registrationDeskApi = consoleApi(registrationDeskContract)

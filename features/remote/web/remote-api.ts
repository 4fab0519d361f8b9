import { createApi } from '#platform/web/calls/api.ts'
import { servicesContract } from '#features/services/contract.ts'
import { remoteAllErrors, remoteContract } from '../contract.ts'
import { remoteTexts } from '../texts.ts'

export const remoteApi = createApi(remoteContract, { alone: true, errors: remoteAllErrors, texts: remoteTexts })
export const remoteServicesApi = createApi(servicesContract, { alone: true })

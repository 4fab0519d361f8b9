import { createApi } from '#platform/web/calls/api.ts'
import { faceContract } from '#features/identity/contract-face.ts'
import { papersContract } from '#features/identity/contract-papers.ts'
import { identityContract } from '#features/identity/contract.ts'
import { identityErrors } from '#features/identity/errors.ts'
import { identityTexts } from '#features/identity/texts.ts'

const own = { errors: identityErrors, texts: identityTexts }
export const flowApi = createApi(identityContract, own)
export const papersApi = createApi(papersContract, { ...own, alone: true })
export const faceApi = createApi(faceContract, { ...own, alone: true })

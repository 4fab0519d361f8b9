import { createApi } from '#platform/web/calls/api.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { flexContract } from '../../contract.ts'
import { voiceContract } from '../../contract-voice.ts'
import { flexErrors } from '../../errors.ts'

export const voiceApi = createApi({ ...voiceContract, livekitToken: flexContract.livekitToken }, { errors: { ...serviceErrors, ...flexErrors } })

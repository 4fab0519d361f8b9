import { bind } from '#platform/server/feature.ts'
import type { RawRoute } from '#platform/server/feature.ts'
import { faceContract } from '../contract-face.ts'
import { papersContract } from '../contract-papers.ts'
import { MAX_UPLOAD_BYTES } from '../contract-words.ts'
import { identityContract } from '../contract.ts'
import { startCheck } from './face/start-check.ts'
import { sandboxRoutes } from './face/vendors/index.ts'
import { samplePapers } from './samples/serve-papers.ts'
import { checkStatus, formData, identityStatus, rechargeIdentity } from './face/verbs.ts'
import { pinyin } from './flow/pinyin.ts'
import { openingFlow } from './flow/read-flow.ts'
import { saveIdentity } from './flow/save-identity.ts'
import { answerTaxpayer, chooseMethod, markNoticeRead, reopen, saveDraft } from './flow/opening-steps.ts'
import { createOcrHandler } from './ocr/verbs.ts'
import { receiveUpload, uploadDelete, uploadDone, uploadFile, uploadPolicy } from './uploads/verbs.ts'

export const identityRoutes = [
  bind(identityContract, {
    openingFlow,
    readNotice: markNoticeRead,
    answerTaxpayer,
    chooseMethod,
    saveDraft,
    pinyin,
    accountCreate: saveIdentity,
    accountUpdate: reopen,
    userCreateAccount: saveIdentity,
    userUpdateAccount: reopen,
  }),
  bind(papersContract, {
    uploadPolicy,
    uploadDone,
    uploadFile,
    uploadDelete,
    ocrIdCardFace: createOcrHandler('idFront'),
    ocrIdCardBack: createOcrHandler('idBack'),
    ocrPassport: createOcrHandler('passport'),
  }),
  bind(faceContract, {
    identityVerify: startCheck,
    identityVerifyStatus: checkStatus,
    identityFormData: formData,
    userIdentityVerify: startCheck,
    userIdentityVerifyStatus: checkStatus,
    userIdentityFormData: formData,
    payIdentityVerify: startCheck,
    payIdentityStatus: identityStatus,
    rechargeIdentity,
  }),
]

/** A form has some hundred bytes beside its file. */
export const identityRawRoutes: readonly RawRoute[] = [
  { method: 'POST', path: '/identity/upload', role: 'api', bodyLimit: MAX_UPLOAD_BYTES + 20_000, handle: receiveUpload },
  ...sandboxRoutes,
  samplePapers,
]

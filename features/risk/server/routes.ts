import { bind } from '#platform/server/feature.ts'
import { riskContract } from '../contract.ts'
import { createCaptchaChallenge } from './verbs/give-challenge.ts'
import { moveSlide } from './verbs/move-slide.ts'

export const riskRoutes = bind(riskContract, { captchaChallenge: createCaptchaChallenge, moveSlide })

import { withCaptcha } from '#platform/web/calls/captcha.ts'
import { CAPTCHA_SCENE } from '../../contract.ts'
import { accountApi } from '../account-api.ts'
import { contactOf, type Identity, type Way } from '../fields/identity-field.tsx'
import type { CodeSent } from '../fields/use-send-code.ts'
import type { AuthMode } from './draft.ts'

const byMobile = { login: accountApi.sendLoginCode, register: accountApi.sendRegisterCode, reset: accountApi.sendPasswordCode }
const purposes = { login: 'login', register: 'register', reset: 'updatePassword' } as const

/** Asks for a code of one of the three forms, behind the captcha. */
export function sendCode(mode: AuthMode, way: Way, identity: Identity): Promise<CodeSent | undefined> {
  const contact = contactOf(way, identity)
  return withCaptcha(CAPTCHA_SCENE[purposes[mode]], (captchaVerifyParam) =>
    'mobile' in contact
      ? byMobile[mode]({ x: contact.mobile, captchaVerifyParam })
      : accountApi.sendEmailCode({ email: contact.email, verifyCodeType: purposes[mode], captchaVerifyParam }),
  )
}

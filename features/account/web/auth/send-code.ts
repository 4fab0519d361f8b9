import { withCaptcha } from '#platform/web/calls/captcha.ts'
import { CAPTCHA_SCENE } from '../../contract.ts'
import { userAccountApi } from '../account-api.ts'
import { toContactInput, type Identity, type ContactWay } from '../fields/identity-field.tsx'
import type { SendCodeReply } from '../fields/use-send-code.ts'
import type { AuthMode } from './draft.ts'

const byMobile = { login: userAccountApi.sendLoginCode, register: userAccountApi.sendRegisterCode, reset: userAccountApi.sendPasswordCode }
const purposes = { login: 'login', register: 'register', reset: 'updatePassword' } as const

/** Requests a code for one of the three forms, protected by the captcha. */
export function requestAuthCode(mode: AuthMode, way: ContactWay, identity: Identity): Promise<SendCodeReply | undefined> {
  const contact = toContactInput(way, identity)
  return withCaptcha(CAPTCHA_SCENE[purposes[mode]], (captchaVerifyParam) =>
    'mobile' in contact
      ? byMobile[mode]({ x: contact.mobile, captchaVerifyParam })
      : userAccountApi.sendEmailCode({ email: contact.email, verifyCodeType: purposes[mode], captchaVerifyParam }),
  )
}

import { startStandInServer } from '../kit/server.ts'
import type { StandInReply, StandInRequest, StandInServer } from '../kit/server.ts'
import { createAliyunOracle } from './oracle.ts'
import { ALIYUN_CAPTCHA_RULES } from './rules.ts'
import type { AliyunErrorCode } from './rules.ts'
import { createAliyunSms } from './sms.ts'
import type { AliyunSmsState } from './sms.ts'
import { ALIYUN_REQUEST_ID, refuseAliyunSignature, toAliyunError, toAliyunJson } from './wire.ts'

export const ALIYUN_SIGN = '明细'
export const ALIYUN_SCENE = 'scene-1'

export interface Aliyun extends AliyunSmsState {
  readonly company: StandInServer
  /** Balance as it writes it, with commas between thousands. */
  balance: string
  /** Error of the next verdicts on captchas. */
  captchaRefusal: AliyunErrorCode | undefined
}
const VERSIONS: Readonly<Record<string, string>> = {
  SendSms: '2017-05-25',
  QuerySendDetails: '2017-05-25',
  QueryAccountBalance: '2017-12-14',
  VerifyIntelligentCaptcha: '2023-03-05',
}

/** Alibaba Cloud: SMS, the account's balance and the captcha. A captcha's parameter that begins with `good` passes, once. */
export async function startAliyun({ now = () => new Date() } = {}): Promise<Aliyun> {
  const [nonces, judged] = [new Set<string>(), new Set<string>()]
  const state: AliyunSmsState = {
    ...{ signs: new Set([ALIYUN_SIGN]), sms: [], refusal: undefined },
    templates: [
      { code: 'SMS_1', kind: 'code', region: 'mainland', content: '您的验证码为 ${code}，10 分钟内有效，请勿告诉任何人。' },
      { code: 'SMS_2', kind: 'code', region: 'abroad', content: 'Your code is ${code}.' },
      { code: 'SMS_3', kind: 'notice', region: 'mainland', content: '告警 ${name}：${detail}' },
    ],
  }
  const sms = createAliyunSms(state, now)

  function judge(query: URLSearchParams): StandInReply {
    const param = query.get('CaptchaVerifyParam')
    if (param === null) return toAliyunError('MissingParameter')
    if (aliyun.captchaRefusal) return toAliyunError(aliyun.captchaRefusal)
    const { usedCode, refusedCode, passedCode } = ALIYUN_CAPTCHA_RULES
    const isGood = param.startsWith('good') && query.get('SceneId') === ALIYUN_SCENE
    const verdict = judged.has(param) ? usedCode : isGood ? passedCode : refusedCode
    judged.add(param)
    const Result = { VerifyResult: verdict === passedCode, VerifyCode: verdict.value }
    return toAliyunJson(200, { RequestId: ALIYUN_REQUEST_ID, Code: 'Success', Message: 'success', Success: true, Result })
  }
  const ACTIONS: Readonly<Record<string, (query: URLSearchParams) => StandInReply>> = {
    SendSms: sms.send,
    QuerySendDetails: sms.listDetails,
    VerifyIntelligentCaptcha: judge,
    QueryAccountBalance: () => {
      const Data = { AvailableAmount: aliyun.balance, AvailableCashAmount: aliyun.balance, CreditAmount: '0.00', MybankCreditAmount: '0.00', Currency: 'CNY' }
      return toAliyunJson(200, { RequestId: ALIYUN_REQUEST_ID, Code: '200', Message: 'Successful!', Success: true, Data })
    },
  }
  function answer(request: StandInRequest): StandInReply {
    const action = String(request.headers['x-acs-action'])
    if (request.path !== '/' || !ACTIONS[action] || VERSIONS[action] !== request.headers['x-acs-version']) return toAliyunError('InvalidAction.NotFound')
    const refused = refuseAliyunSignature(request, nonces, now())
    return refused ? toAliyunError(refused) : ACTIONS[action](request.query)
  }
  const aliyun: Aliyun = Object.assign(state, {
    company: await startStandInServer(answer, { oracle: createAliyunOracle() }),
    balance: '10,000.50',
    captchaRefusal: undefined,
  })
  return aliyun
}

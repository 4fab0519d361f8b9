export { APPID, buildWechatPayWebhook, createWechatPayKeys, MCHID, MERCHANT_SERIAL } from './keys.ts'
export { startWechatPay } from './payments.ts'
export { WECHAT_PAY_FIGURES, WECHAT_PAY_RULES } from './rules.ts'

import { defineChannelSuite } from '../../testing/channel-suite.ts'
import { startWechatPay } from '#stand-ins/wechat-pay/index.ts'

const WECHAT = { tradeFrom: 'QRCODE', transactionType: 2, turnsRefunds: true, declines: true } as const

defineChannelSuite('wechat-pay, public keys', ({ now }) => startWechatPay({ now }), WECHAT)
defineChannelSuite('wechat-pay, certificates', ({ now }) => startWechatPay({ now, mode: 'certificate' }), { ...WECHAT, fetchesKeys: true, variant: true })

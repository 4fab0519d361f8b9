/**
 * Alipay publishes no schema. These are written from the parameter tables of its methods, which its own SDK repeats field by field
 * (`src/main/java/com/alipay/api/domain` and `response` of https://github.com/alipay/alipay-sdk-java-all). Unknown fields are refused, and
 * no text may be empty.
 */
type Schema = Record<string, unknown>

const text = (maxLength: number, more: Schema = {}): Schema => ({ type: 'string', minLength: 1, maxLength, ...more })
const closed = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const AMOUNT = text(11, { pattern: '^\\d+\\.\\d\\d$' })
const TIME = text(19, { pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$' })
const OUT_TRADE_NO = text(64, { pattern: '^\\w+$' })
const TRADE_NO = text(64, { pattern: '^\\d+$' })
const USER_ID = text(28, { pattern: '^2088\\d{12}$' })
const URL = text(1024, { pattern: '^https?://' })
const CURRENCY = text(8, { pattern: '^[A-Z]{3}$' })

/** Fields that several ways to pay share: AlipayTradePagePayModel, AlipayTradeWapPayModel, AlipayTradePrecreateModel, AlipayTradePayModel. */
const ORDER = {
  out_trade_no: OUT_TRADE_NO,
  total_amount: AMOUNT,
  subject: text(256),
  body: text(128),
  product_code: text(64),
  time_expire: TIME,
  timeout_express: text(6),
  goods_type: { enum: ['0', '1'] },
  merchant_order_no: text(32),
  passback_params: text(512),
  store_id: text(32),
}
/** The account that receives the payment; AlipayTradePagePayModel does not have it. */
const SELLER = { seller_id: USER_ID }
const ORDER_REQUIRED = ['out_trade_no', 'total_amount', 'subject']

/** AlipayUserAgreementQueryModel, AlipayUserAgreementUnsignModel. */
const AGREEMENT = {
  agreement_no: text(64),
  external_agreement_no: text(32, { pattern: '^[0-9A-Za-z]+$' }),
  personal_product_code: text(64),
  sign_scene: text(64),
  third_party_type: { enum: ['PARTNER', 'MERCHANT'] },
  alipay_user_id: USER_ID,
  alipay_logon_id: text(100),
}

/** Participant; cert_type and cert_no stand in https://opendocs.alipay.com/open/02byuo. */
const PAYEE = closed(
  {
    identity: text(64),
    identity_type: { enum: ['ALIPAY_USER_ID', 'ALIPAY_OPEN_ID', 'ALIPAY_LOGON_ID'] },
    name: text(128),
    cert_type: { enum: ['IDENTITY_CARD', 'PASSPORT'] },
    cert_no: text(64),
    ext_info: text(1024),
  },
  ['identity', 'identity_type'],
)

/** Content of a request, by method. */
export const ALIPAY_REQUESTS: Readonly<Record<string, Schema>> = {
  'alipay.trade.page.pay': closed(
    {
      ...ORDER,
      qr_pay_mode: { enum: ['0', '1', '2', '3', '4'] },
      qrcode_width: { type: 'integer', minimum: 1, maximum: 9999 },
      integration_type: { enum: ['ALIAPP', 'PCWEB'] },
      request_from_url: URL,
    },
    [...ORDER_REQUIRED, 'product_code'],
  ),
  'alipay.trade.wap.pay': closed({ ...ORDER, ...SELLER, quit_url: text(400), auth_token: text(40) }, [...ORDER_REQUIRED, 'product_code', 'quit_url']),
  'alipay.trade.precreate': closed(
    {
      ...ORDER,
      ...SELLER,
      qr_code_timeout_express: text(6),
      operator_id: text(28),
      terminal_id: text(32),
      buyer_logon_id: text(100),
      discountable_amount: AMOUNT,
    },
    ORDER_REQUIRED,
  ),
  'alipay.trade.pay': closed(
    {
      ...ORDER,
      ...SELLER,
      agreement_params: closed({ agreement_no: text(64), auth_confirm_no: text(64), apply_token: text(128), deduct_permission: text(64) }, ['agreement_no']),
      scene: text(32),
      auth_code: text(64),
      is_async_pay: { type: 'boolean' },
      buyer_id: USER_ID,
      trans_currency: CURRENCY,
      settle_currency: CURRENCY,
    },
    ORDER_REQUIRED,
  ),
  'alipay.trade.query': closed({ out_trade_no: OUT_TRADE_NO, trade_no: TRADE_NO, org_pid: text(16), query_options: { type: 'array', items: text(1024) } }),
  'alipay.trade.close': closed({ out_trade_no: OUT_TRADE_NO, trade_no: TRADE_NO, operator_id: text(28) }),
  'alipay.trade.refund': closed(
    {
      out_trade_no: OUT_TRADE_NO,
      trade_no: TRADE_NO,
      refund_amount: AMOUNT,
      refund_currency: CURRENCY,
      refund_reason: text(256),
      out_request_no: text(64),
      operator_id: text(30),
      store_id: text(32),
      terminal_id: text(32),
      query_options: { type: 'array', items: text(1024) },
    },
    ['refund_amount'],
  ),
  'alipay.trade.fastpay.refund.query': closed(
    { out_trade_no: OUT_TRADE_NO, trade_no: TRADE_NO, out_request_no: text(64), org_pid: text(16), query_options: { type: 'array', items: text(1024) } },
    ['out_request_no'],
  ),
  'alipay.data.dataservice.bill.downloadurl.query': closed(
    { bill_type: { enum: ['trade', 'signcustomer', 'merchant_act'] }, bill_date: text(15, { pattern: '^\\d{4}-\\d\\d(-\\d\\d)?$' }), smid: text(20) },
    ['bill_type', 'bill_date'],
  ),
  'alipay.data.bill.balance.query': closed({ bill_user_id: USER_ID }),
  'alipay.user.agreement.page.sign': closed(
    {
      external_agreement_no: AGREEMENT.external_agreement_no,
      personal_product_code: AGREEMENT.personal_product_code,
      sign_scene: AGREEMENT.sign_scene,
      third_party_type: AGREEMENT.third_party_type,
      product_code: text(64),
      external_logon_id: text(100),
      sign_validity_period: text(8),
      access_params: closed({ channel: { enum: ['ALIPAYAPP', 'QRCODE', 'QRCODEORSMS'] } }, ['channel']),
      period_rule_params: closed(
        {
          period_type: { enum: ['DAY', 'MONTH'] },
          period: { type: 'integer', minimum: 1 },
          execute_time: text(10, { pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
          single_amount: AMOUNT,
          total_amount: AMOUNT,
          total_payments: { type: 'integer', minimum: 1 },
        },
        ['period_type', 'period', 'execute_time', 'single_amount'],
      ),
    },
    ['access_params', 'personal_product_code'],
  ),
  'alipay.user.agreement.query': closed(AGREEMENT),
  'alipay.user.agreement.unsign': closed({ ...AGREEMENT, extend_params: text(512), operate_type: { enum: ['confirm', 'invalid'] } }),
  'alipay.fund.trans.uni.transfer': closed(
    {
      out_biz_no: text(64),
      trans_amount: AMOUNT,
      product_code: { const: 'TRANS_ACCOUNT_NO_PWD' },
      biz_scene: { const: 'DIRECT_TRANSFER' },
      order_title: text(128),
      payee_info: PAYEE,
      remark: text(200),
      business_params: text(2048),
      original_order_id: text(32),
      passback_params: text(512),
    },
    ['out_biz_no', 'trans_amount', 'product_code', 'payee_info'],
  ),
  'alipay.fund.trans.common.query': closed({
    out_biz_no: text(64),
    order_id: text(32),
    pay_fund_order_id: text(32),
    product_code: { const: 'TRANS_ACCOUNT_NO_PWD' },
    biz_scene: { const: 'DIRECT_TRANSFER' },
  }),
  'datadigital.fincloud.generalsaas.face.certify.initialize': closed(
    {
      outer_order_no: text(32, { pattern: '^[0-9A-Za-z]+$' }),
      biz_code: text(32),
      identity_param: closed(
        {
          identity_type: { const: 'CERT_INFO' },
          cert_type: { const: 'IDENTITY_CARD' },
          cert_name: text(64),
          cert_no: text(18, { pattern: '^\\d{17}[\\dX]$' }),
          phone_no: text(20),
        },
        ['identity_type', 'cert_type', 'cert_name', 'cert_no'],
      ),
      merchant_config: closed({ return_url: URL, face_reserve_strategy: { enum: ['reserve', 'never'] } }, ['return_url']),
      face_contrast_picture: text(2_000_000),
    },
    ['outer_order_no', 'biz_code', 'identity_param', 'merchant_config'],
  ),
  'datadigital.fincloud.generalsaas.face.certify.verify': closed({ certify_id: text(64) }, ['certify_id']),
  'datadigital.fincloud.generalsaas.face.certify.query': closed({ certify_id: text(64) }, ['certify_id']),
}

const reply = (properties: Record<string, Schema>, required: readonly string[] = []): Schema =>
  closed({ code: { const: '10000' }, msg: { const: 'Success' }, ...properties }, ['code', 'msg', ...required])
const TRADE = {
  out_trade_no: OUT_TRADE_NO,
  trade_no: TRADE_NO,
  trade_status: { enum: ['WAIT_BUYER_PAY', 'TRADE_CLOSED', 'TRADE_SUCCESS', 'TRADE_FINISHED'] },
  total_amount: AMOUNT,
  trans_currency: CURRENCY,
  buyer_logon_id: text(100),
  buyer_user_id: USER_ID,
  buyer_open_id: text(128),
  buyer_pay_amount: AMOUNT,
  invoice_amount: AMOUNT,
  point_amount: AMOUNT,
  receipt_amount: AMOUNT,
  send_pay_date: TIME,
}
const TRADE_REQUIRED = ['out_trade_no', 'trade_no', 'trade_status', 'total_amount', 'buyer_logon_id']
const TRANSFER = {
  out_biz_no: text(64),
  order_id: text(32),
  pay_fund_order_id: text(32),
  status: { enum: ['SUCCESS', 'WAIT_PAY', 'CLOSED', 'FAIL', 'DEALING', 'REFUND'] },
  trans_date: TIME,
  pay_date: TIME,
  error_code: text(64),
  fail_reason: text(200),
}

/** Content of a successful answer, by method. */
export const ALIPAY_REPLIES: Readonly<Record<string, Schema>> = {
  'alipay.trade.precreate': reply({ out_trade_no: OUT_TRADE_NO, qr_code: text(1024, { pattern: '^https://' }) }, ['out_trade_no', 'qr_code']),
  'alipay.trade.query': reply(TRADE, TRADE_REQUIRED),
  // AlipayTradePayResponse has no state: 10000 is paid, 10003 waits for the payer or for Alipay.
  'alipay.trade.pay': reply(
    {
      code: { enum: ['10000', '10003'] },
      msg: text(64),
      out_trade_no: OUT_TRADE_NO,
      trade_no: TRADE_NO,
      total_amount: AMOUNT,
      buyer_logon_id: text(100),
      buyer_user_id: USER_ID,
      buyer_open_id: text(128),
      buyer_pay_amount: AMOUNT,
      invoice_amount: AMOUNT,
      point_amount: AMOUNT,
      receipt_amount: AMOUNT,
      gmt_payment: TIME,
      fund_bill_list: { type: 'array' },
    },
    ['out_trade_no', 'trade_no', 'total_amount', 'buyer_logon_id', 'receipt_amount'],
  ),
  'alipay.trade.close': reply({ out_trade_no: OUT_TRADE_NO, trade_no: TRADE_NO }, ['trade_no']),
  'alipay.trade.refund': reply(
    {
      out_trade_no: OUT_TRADE_NO,
      trade_no: TRADE_NO,
      buyer_logon_id: text(100),
      buyer_user_id: USER_ID,
      fund_change: { enum: ['Y', 'N'] },
      refund_fee: AMOUNT,
      gmt_refund_pay: TIME,
      send_back_fee: AMOUNT,
    },
    ['out_trade_no', 'trade_no', 'buyer_logon_id', 'fund_change', 'refund_fee'],
  ),
  'alipay.trade.fastpay.refund.query': reply({
    out_trade_no: OUT_TRADE_NO,
    trade_no: TRADE_NO,
    out_request_no: text(64),
    refund_amount: AMOUNT,
    total_amount: AMOUNT,
    refund_status: { const: 'REFUND_SUCCESS' },
    gmt_refund_pay: TIME,
  }),
  'alipay.data.dataservice.bill.downloadurl.query': reply({ bill_download_url: text(2048, { pattern: '^https?://' }) }, ['bill_download_url']),
  'alipay.data.bill.balance.query': reply({ total_amount: AMOUNT, available_amount: AMOUNT, freeze_amount: AMOUNT, settle_amount: AMOUNT }, [
    'total_amount',
    'available_amount',
    'freeze_amount',
  ]),
  'alipay.user.agreement.query': reply(
    {
      ...AGREEMENT,
      status: { enum: ['TEMP', 'NORMAL', 'STOP'] },
      sign_time: TIME,
      valid_time: TIME,
      invalid_time: TIME,
      principal_type: { enum: ['CARD', 'CUSTOMER'] },
      principal_id: USER_ID,
    },
    ['agreement_no', 'personal_product_code', 'sign_scene', 'status', 'sign_time', 'valid_time', 'invalid_time', 'principal_type', 'principal_id'],
  ),
  'alipay.user.agreement.unsign': reply({}),
  'alipay.fund.trans.uni.transfer': reply(TRANSFER, ['out_biz_no', 'order_id', 'status']),
  'alipay.fund.trans.common.query': reply(TRANSFER, ['out_biz_no', 'order_id', 'status']),
  'datadigital.fincloud.generalsaas.face.certify.initialize': reply({ certify_id: text(64) }, ['certify_id']),
  'datadigital.fincloud.generalsaas.face.certify.verify': reply({ certify_url: URL }, ['certify_url']),
  'datadigital.fincloud.generalsaas.face.certify.query': reply(
    { passed: { enum: ['T', 'F'] }, fail_reason: text(1024), identity_info: text(4096), material_info: text(4096) },
    ['passed'],
  ),
}

/** https://opendocs.alipay.com/common/02km9f */
export const ALIPAY_FAILURE = closed(
  {
    code: { enum: ['10003', '20000', '20001', '40001', '40002', '40003', '40004', '40005', '40006'] },
    msg: text(64),
    sub_code: text(64, { pattern: '^((isv|isp|aop)\\.[a-z-]+|(ACQ\\.)?[A-Z_]+)$' }),
    sub_msg: text(256),
  },
  ['code', 'msg', 'sub_code', 'sub_msg'],
)

/** Common fields of a request (https://opendocs.alipay.com/common/02km9f); certificates' serial numbers in certificate mode only. */
export const ALIPAY_ENVELOPE = closed(
  {
    app_id: text(32, { pattern: '^\\d+$' }),
    method: text(128),
    format: { const: 'JSON' },
    return_url: text(256, { pattern: '^https?://' }),
    charset: { const: 'utf-8' },
    sign_type: { const: 'RSA2' },
    sign: text(344),
    timestamp: TIME,
    version: { const: '1.0' },
    alipay_sdk: text(64),
    notify_url: text(256, { pattern: '^https?://' }),
    biz_content: text(100_000),
    app_cert_sn: text(64, { pattern: '^[0-9a-f]{32}$' }),
    alipay_root_cert_sn: text(1024, { pattern: '^[0-9a-f]{32}(_[0-9a-f]{32})*$' }),
  },
  ['app_id', 'method', 'charset', 'sign_type', 'sign', 'timestamp', 'version'],
)

const NOTICE = {
  notify_time: TIME,
  notify_id: text(128),
  charset: { const: 'utf-8' },
  version: { const: '1.0' },
  app_id: text(32),
  auth_app_id: text(32),
}
/** Notices by `notify_type`. https://opendocs.alipay.com/open/270/105902 */
export const ALIPAY_NOTICES: Readonly<Record<string, Schema>> = {
  trade_status_sync: closed(
    {
      ...NOTICE,
      notify_type: { const: 'trade_status_sync' },
      out_trade_no: OUT_TRADE_NO,
      trade_no: TRADE_NO,
      trade_status: { enum: ['WAIT_BUYER_PAY', 'TRADE_CLOSED', 'TRADE_SUCCESS', 'TRADE_FINISHED'] },
      total_amount: AMOUNT,
      receipt_amount: AMOUNT,
      seller_id: USER_ID,
      subject: text(256),
      out_biz_no: text(64),
      refund_fee: AMOUNT,
      gmt_refund: text(23),
    },
    ['notify_time', 'notify_type', 'notify_id', 'app_id', 'charset', 'version', 'trade_no', 'out_trade_no', 'trade_status', 'total_amount', 'seller_id'],
  ),
  ...Object.fromEntries(
    ['dut_user_sign', 'dut_user_unsign'].map((type) => [
      type,
      closed(
        {
          ...NOTICE,
          notify_type: { const: type },
          partner_id: USER_ID,
          agreement_no: text(64),
          external_agreement_no: AGREEMENT.external_agreement_no,
          personal_product_code: text(64),
          sign_scene: text(64),
          alipay_user_id: USER_ID,
          status: { enum: ['NORMAL', 'UNSIGN'] },
          sign_time: TIME,
          valid_time: TIME,
          invalid_time: TIME,
          unsign_time: TIME,
        },
        ['notify_time', 'notify_type', 'notify_id', 'app_id', 'agreement_no', 'external_agreement_no', 'status'],
      ),
    ]),
  ),
}

const SMS = 'https://help.aliyun.com/document_detail/55284.html'
const SMS_CODES = 'https://www.alibabacloud.com/help/doc-detail/73694.htm'
/** The Chinese table of the same codes, with the limits of codes and the types of variables. */
const SMS_CODES_ZH = 'https://jmcad.top/forum.php?goto=nextoldset&mod=redirect&tid=4028'
const SIGNATURE = 'https://help.aliyun.com/zh/sdk/product-overview/v3-request-structure-and-signature'
const CAPTCHA = 'https://www.alibabacloud.com/help/en/captcha/captcha2-0/user-guide/server-access'

/** Rules that apply to every call. `assumed`: not found on the page. */
export const ALIYUN_CALL_RULES = {
  signature: { value: 'ACS3-HMAC-SHA256 over method, path, query, signed headers and the hash of the body', source: SIGNATURE },
  signedHeaders: { value: ['host', 'x-acs-action', 'x-acs-content-sha256', 'x-acs-date', 'x-acs-signature-nonce', 'x-acs-version'], source: SIGNATURE },
  skewMinutes: { value: 15, source: SIGNATURE, assumed: true },
  nonce: { value: 'accepted once', source: SIGNATURE, assumed: true },
} as const

/** Rules of SMS. */
export const ALIYUN_SMS_RULES = {
  mainland: { pattern: /^(\+86|0086|86|\+)?1[3-9]\d{9}$/, source: SMS },
  abroad: { pattern: /^(852|853)\d{8}$/, source: SMS },
  /** Characters of a variable of a code's template, and of any other. */
  codeVariable: { least: 4, most: 6, source: 'https://developer.aliyun.com/ask/220871', assumed: true },
  variable: { least: 1, most: 35, source: 'https://help.aliyun.com/zh/document_detail/3041859.html' },
  /** Values are text: `{"code":"123456"}`, not `{"code":123456}`. */
  variableType: { value: 'string', source: SMS_CODES_ZH },
  /** Each variable of the template has a value; else isv.TEMPLATE_MISSING_PARAMETERS. */
  variableValue: { least: 1, source: SMS_CODES },
  /** Addresses and hosts belong into the template. */
  urlInVariable: { pattern: /https?:\/\/|\bwww\.|\b\d{1,3}(\.\d{1,3}){3}\b/, source: SMS_CODES_ZH },
  /** A template of the mainland sends to no other region, and the reverse. */
  regionOfTemplate: { value: 'fixed', source: 'https://help.aliyun.com/zh/sms/developer-reference/api-dysmsapi-2017-05-25-createsmstemplate' },
  /** Codes to one number under one signature. */
  codesPerNumber: { minute: 1, hour: 5, day: 10, source: SMS_CODES_ZH },
  /** Other messages of one template to one number under one signature. */
  messagesPerNumber: { day: 50, source: SMS_CODES_ZH },
  details: { mostDays: 30, mostPageSize: 50, source: 'https://developer.aliyun.com/ask/217899' },
  idempotency: { value: 'none: the same OutId is sent again', source: SMS },
} as const

/** Rules of the captcha. A parameter is judged once: F008 after that. */
export const ALIYUN_CAPTCHA_RULES = {
  usedCode: { value: 'F008', source: CAPTCHA },
  refusedCode: { value: 'F001', source: 'https://www.alibabacloud.com/help/en/captcha/captcha2-0/user-guide/description-of-data-returned-by-the-client' },
  passedCode: { value: 'T001', source: 'https://www.alibabacloud.com/help/en/captcha/captcha2-0/user-guide/description-of-data-returned-by-the-client' },
} as const

/** Errors by code. Codes of a business (`isv.`, `isp.`) come with 200, those of the gateway with a status of their own. Source: the pages above;
 * statuses and messages of the gateway are assumed. */
export const ALIYUN_ERRORS = {
  'isv.BUSINESS_LIMIT_CONTROL': { status: 200, message: '触发云通信流控限制' },
  'isv.MOBILE_NUMBER_ILLEGAL': { status: 200, message: '非法手机号' },
  'isv.SMS_SIGNATURE_ILLEGAL': { status: 200, message: '短信签名不合法' },
  'isv.SMS_TEMPLATE_ILLEGAL': { status: 200, message: '短信模板不合法' },
  'isv.INVALID_JSON_PARAM': { status: 200, message: 'JSON参数不合法，只接受字符串值' },
  'isv.TEMPLATE_MISSING_PARAMETERS': { status: 200, message: '模板缺少变量' },
  'isv.PARAM_LENGTH_LIMIT': { status: 200, message: '参数超出长度限制' },
  'isv.PARAM_NOT_SUPPORT_URL': { status: 200, message: '变量不支持传入URL' },
  'isv.INVALID_PARAMETERS': { status: 200, message: '参数异常' },
  'isv.AMOUNT_NOT_ENOUGH': { status: 200, message: '账户余额不足' },
  'isp.SYSTEM_ERROR': { status: 200, message: '系统错误' },
  'MissingParameter': { status: 400, message: 'A required parameter is missing.' },
  'SignatureDoesNotMatch': { status: 400, message: 'Specified signature is not matched with our calculation.' },
  'SignatureNonceUsed': { status: 400, message: 'Specified signature nonce was used already.' },
  'InvalidTimeStamp.Expired': { status: 400, message: 'Specified time stamp or date value is expired.' },
  'InvalidAccessKeyId.NotFound': { status: 404, message: 'Specified access key is not found.' },
  'InvalidAction.NotFound': { status: 404, message: 'Specified api is not found, please check your url and method.' },
  'Forbidden.RAM': { status: 403, message: 'User not authorized to operate on the specified resource.' },
  'Throttling.User': { status: 400, message: 'Request was denied due to user flow control.' },
  'ServiceUnavailable': { status: 503, message: 'The request has failed due to a temporary failure of the server.' },
} as const
export type AliyunErrorCode = keyof typeof ALIYUN_ERRORS

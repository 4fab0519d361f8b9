interface Victim {
  readonly orderNo: string
  readonly filePath: string
  readonly certifyId: string
}

const buildHolder = (v: Victim) => ({
  paper: 'idcard',
  chineseName: '王小明',
  lastName: 'WANG',
  firstName: 'XIAOMING',
  number: '11010519491231002X',
  birthDate: '1949-12-31',
  validUntil: 'forever',
  province: '北京市',
  city: '北京市',
  street: '建国路88号',
  postalCode: '100025',
  files: { idFront: v.filePath, idBack: v.filePath, photo: v.filePath },
  confirmed: [],
})

/** Valid inputs of identity's endpoints, for the tests generated from the route table. */
export const identitySamples: Readonly<Record<string, (victim: Victim) => Record<string, unknown>>> = {
  'GET /account/opening': () => ({}),
  'POST /account/opening/notice': () => ({ agreed: true }),
  'POST /account/opening/taxpayer': () => ({ isTaxResidentUS: false, declared: true }),
  'POST /account/opening/method': () => ({ method: 'deposit' }),
  'POST /account/opening/draft': () => ({ values: { street: 'Some Road' }, confirmed: ['address'] }),
  'POST /account/opening/pinyin': () => ({ chineseName: '王小明' }),
  'POST /account/create': buildHolder,
  'POST /account/update': () => ({}),
  'POST /user/createAccount': buildHolder,
  'POST /user/updateAccount': () => ({}),
  'GET /common/upload/policy': () => ({ purpose: 'idFront', type: 'image/jpeg', size: 5 }),
  'POST /common/upload/done': (v) => ({ filePath: v.filePath }),
  'GET /common/upload/file': (v) => ({ filePath: v.filePath, until: 4_000_000_000, sign: 'made-up' }),
  'POST /common/upload/delete': (v) => ({ filePath: v.filePath }),
  'POST /common/ocrIdCardFace': (v) => ({ filePath: v.filePath }),
  'POST /common/ocrIdCardBack': (v) => ({ filePath: v.filePath }),
  'POST /common/ocrPassport': (v) => ({ filePath: v.filePath }),
  'GET /account/identityVerify': () => ({ returnUrl: '/api' }),
  'GET /account/identityVerifyStatus': (v) => ({ certifyId: v.certifyId }),
  'GET /account/identity/formData': (v) => ({ certifyId: v.certifyId }),
  'GET /v1/user/identityVerify': () => ({}),
  'GET /v1/user/identityVerifyStatus': (v) => ({ certifyId: v.certifyId }),
  'GET /v1/user/identity/formData': (v) => ({ certifyId: v.certifyId }),
  'POST /v1/pay/identityVerify': () => ({ returnUrl: '/api' }),
  'GET /v1/pay/identityStatus': () => ({}),
  'POST /v1/pay/rechargeIdentity': (v) => ({ orderNo: v.orderNo }),
}

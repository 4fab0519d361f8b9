export const CARDS_METHOD_TEXT = { deposit: 'method_deposit', face: 'method_face' } as const

export const CARDS_FACE_TITLE_TEXT = { failed: 'face_failed_title', expired: 'face_expired_title', other: 'face_other_title' } as const

export const CARDS_FACE_ABOUT_TEXT = { failed: 'face_failed_about', expired: 'face_expired_about', other: 'face_other_about' } as const

export const CARDS_SIDE_TEXT = { passport: 'side_passport', idFront: 'side_idFront', idBack: 'side_idBack', photo: 'side_photo' } as const

export const CARDS_KIND_TEXT = { standard: 'kind_standard', pro: 'kind_pro' } as const

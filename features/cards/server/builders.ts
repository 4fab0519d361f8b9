export { standIn } from './issuers.ts'
export { BookIssuer } from './testing/book-issuer.ts'
export { aCard, deliver } from './testing/carded.ts'

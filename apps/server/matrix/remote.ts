/** A good input of each call of the remote browser, as in `matrix.db.test.ts`. */
export const remoteSamples: Readonly<Record<string, () => Record<string, unknown>>> = {
  'GET /user/getKasm': () => ({}),
  'GET /reward/kasm/getUrl': () => ({ waitSeconds: 0 }),
  'GET /reward/kasm/count': () => ({}),
  'POST /reward/kasm/apply': () => ({ more: false }),
  'POST /reward/kasm/open': () => ({}),
  'POST /reward/kasm/end': () => ({}),
}

/** What the operator set (brand, company, support address); the server puts it into the page as JSON. */
export interface Site {
  readonly brand: string
  readonly brandZh: string
  readonly company: string
  readonly supportEmail: string
  readonly stage: 'production' | 'qa' | 'development'
}

const fallback: Site = {
  brand: 'Mingxi',
  brandZh: '明细',
  company: 'Mingxi (Hong Kong) Limited',
  supportEmail: 'support@mingxi.example',
  stage: 'development',
}

/** `<script type="application/json" id="site">` needs no exception in the content security policy; `window.__SITE__` also works. */
function read(): Partial<Site> {
  const given = (window as { __SITE__?: Partial<Site> }).__SITE__
  if (given) return given
  try {
    return JSON.parse(document.getElementById('site')?.textContent || '{}') as Partial<Site>
  } catch {
    return {}
  }
}

export const site: Site = { ...fallback, ...read() }

import { useLang, useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { helpTexts } from '../../../help-texts.ts'
import { Arrow, Frame, Node, Row } from './flow.tsx'

/** One key, three forms of request, three vendors. */
export function RequestFlow() {
  const t = useTexts(helpTexts)
  const brand = useLang() === 'zh' ? site.brandZh : site.brand
  return (
    <Frame caption={t('fig_flow_caption')}>
      <Row>
        <div className="flex flex-1 flex-col justify-center">
          <Node title={t('fig_flow_you')} note={t('fig_flow_you_note')} />
        </div>
        <div className="flex items-center justify-center">
          <Arrow label={t('fig_flow_key')} />
        </div>
        <div className="flex flex-1 flex-col justify-center">
          <Node look="ink" title={brand} note={t('fig_flow_us_note')} />
        </div>
        <div className="flex items-center justify-center">
          <Arrow label={t('fig_flow_as_is')} />
        </div>
        <div className="flex flex-1 flex-col gap-2">
          <Node title="OpenAI" note="/v1/chat/completions" />
          <Node title="Anthropic" note="/v1/messages" />
          <Node title="Google" note="/v1beta/models" />
        </div>
      </Row>
    </Frame>
  )
}

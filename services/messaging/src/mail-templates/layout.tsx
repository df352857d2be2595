import type { Language } from '@pulso/contracts/limits';
import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Hr } from '@react-email/hr';
import { Html } from '@react-email/html';
import { Link } from '@react-email/link';
import { Preview } from '@react-email/preview';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import type { ReactNode } from 'react';
import type { MailTexts } from './texts.en.js';

/** The colours of the web application: ink and paper, and coral for the one action. */
const LIGHT = { paper: '#faf8f6', card: '#ffffff', ink: '#1f1b18', dimmed: '#6b625b', line: '#dcd6d0' };
const DARK = { paper: '#171412', card: '#211d1b', ink: '#ede7e1', dimmed: '#a99f96', line: '#3a3430' };
const ACTION = { light: { back: '#cf412b', text: '#ffffff' }, dark: { back: '#f47c68', text: '#1f1b18' } };
const FONT = "Figtree, system-ui, -apple-system, 'Segoe UI', sans-serif";

/** Mail programs that know dark mode take these; the others keep the inline styles. */
const STYLES = `.page { background-color: ${LIGHT.paper}; }
@media (prefers-color-scheme: dark) {
.page, .paper { background-color: ${DARK.paper} !important; }
.card { background-color: ${DARK.card} !important; border-color: ${DARK.line} !important; }
.ink { color: ${DARK.ink} !important; }
.dimmed { color: ${DARK.dimmed} !important; }
.line { border-color: ${DARK.line} !important; }
.action { background-color: ${ACTION.dark.back} !important; color: ${ACTION.dark.text} !important; }
}`;

const text = { fontFamily: FONT, fontSize: 16, lineHeight: '24px', margin: '0 0 16px', color: LIGHT.ink };
const small = { ...text, fontSize: 13, lineHeight: '20px', color: LIGHT.dimmed };
/** Long words and addresses must not widen the page of a phone. */
const breaking = { overflowWrap: 'anywhere', wordBreak: 'break-word' } as const;

export interface LayoutProps {
  language: Language;
  texts: MailTexts;
  /** Shown beside the subject in lists of mails. */
  preview: string;
  title: string;
  /** Of the receiver; may be empty. */
  name: string;
  children: ReactNode;
  action?: ActionProps;
  /** Absent in mails about the account itself (MAIL-6). */
  unsubscribeUrl?: string;
}

export interface ActionProps {
  label: string;
  url: string;
}

/** The page of every mail: at most 560 px wide, one column, light and dark. */
export function Layout({
  language,
  texts,
  preview,
  title,
  name,
  children,
  action,
  unsubscribeUrl,
}: LayoutProps) {
  return (
    <Html lang={language}>
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLES }} />
      </Head>
      <Body className="page" style={{ margin: 0 }}>
        <Preview>{preview}</Preview>
        {/* Body would give the inline colour to a cell that no style can reach. */}
        <Section className="paper" style={{ backgroundColor: LIGHT.paper, padding: '24px 12px' }}>
          <Container style={{ maxWidth: 560, margin: '0 auto' }}>
            <Text className="ink" style={{ ...text, fontSize: 20, fontWeight: 700, margin: '0 0 16px 4px' }}>
              Pulso
            </Text>
            <Section
              className="card"
              style={{
                backgroundColor: LIGHT.card,
                border: `1px solid ${LIGHT.line}`,
                borderRadius: 12,
                padding: '24px 20px',
                ...breaking,
              }}
            >
              <Heading
                as="h1"
                className="ink"
                style={{ ...text, fontSize: 22, lineHeight: '30px', fontWeight: 650 }}
              >
                {title}
              </Heading>
              <Paragraph>{texts.hello(name === '' ? texts.someone : name)}</Paragraph>
              {children}
              {action && <Action {...action} hint={texts.orOpen} />}
            </Section>
            <Hr className="line" style={{ borderColor: LIGHT.line, margin: '24px 0 16px' }} />
            <Text className="dimmed" style={small}>
              {texts.tagline}
            </Text>
            <Text className="dimmed" style={small}>
              {unsubscribeUrl ? (
                <Link
                  className="dimmed"
                  href={unsubscribeUrl}
                  style={{ ...small, textDecoration: 'underline' }}
                >
                  {texts.unsubscribe}
                </Link>
              ) : (
                texts.accountMail
              )}
            </Text>
          </Container>
        </Section>
      </Body>
    </Html>
  );
}

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <Text className="ink" style={text}>
      {children}
    </Text>
  );
}

function Action({ label, url, hint }: ActionProps & { hint: string }) {
  const { back, text: color } = ACTION.light;
  return (
    <>
      <Button
        className="action"
        href={url}
        style={{
          ...{ backgroundColor: back, color, fontFamily: FONT, fontSize: 16, fontWeight: 600 },
          ...{ borderRadius: 8, padding: '12px 20px', margin: '0 0 16px' },
        }}
      >
        {label}
      </Button>
      <Text className="dimmed" style={small} data-skip-in-text="true">
        {hint}
        <br />
        <Link className="dimmed" href={url} style={{ ...small, ...breaking }}>
          {url}
        </Link>
      </Text>
    </>
  );
}

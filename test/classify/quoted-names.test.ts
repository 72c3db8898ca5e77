import { classifyError, TemplateMiner } from 'rsi-loop';
import { describe, expect, it } from 'vitest';

function templatesOf(texts: readonly string[]): readonly string[] {
  const miner = new TemplateMiner();
  const mined = texts.map((text) => miner.add(text));
  const last = new Map(mined.map(({ id, template }) => [miner.resolve(id), template]));
  return [...last.values()];
}

describe('names in quotes and brackets of any script', () => {
  it.each([
    [['用户「张静」不存在', '用户「欧阳小明」不存在'], '用户「<*>」不存在'],
    [['用户“张静”不存在', '用户“王伟”不存在'], '用户“<*>”不存在'],
    [['顧客『鈴木』が見つかりません', '顧客『佐藤 花子』が見つかりません'], '顧客『<*>』が見つかりません'],
    [['ファイル【報告書】を開けません', 'ファイル【予算】を開けません'], 'ファイル【<*>】を開けません'],
    [['Пользователь «Иван» не найден', 'Пользователь «Мария Петрова» не найден'], 'Пользователь «<*>» не найден'],
    [['Benutzer „Müller“ fehlt', 'Benutzer „Anna von Groß“ fehlt'], 'Benutzer „<*>“ fehlt'],
    [['Benutzer »Müller« fehlt', 'Benutzer »Jäger« fehlt'], 'Benutzer »<*>« fehlt'],
    [['el usuario ‹ana› no existe', 'el usuario ‹luis› no existe'], 'el usuario ‹<*>› no existe'],
    [['파일 “보고서” 없음', '파일 “예산 2024” 없음'], '파일 “<*>” 없음'],
  ])('are values: %s', (texts, template) => {
    expect(templatesOf(texts)).toEqual([template]);
  });

  it('are values as items of a list, and stay as whole sentences', () => {
    expect(
      templatesOf([
        "Expected one of ['New York City, NY'].",
        "Expected one of ['Santa Clara County'].",
        "Expected one of ['x y'].",
      ]),
    ).toEqual(["Expected one of ['<*>']."]);
    const said = (text: string) => `{"errors": {"sub": ["${text}"]}}`;
    const two = [said('The value of the field is too long.'), said('The user is not allowed to do that.')];
    expect(templatesOf(two)).toEqual(two);
  });

  it('stay when they say what failed', () => {
    expect(templatesOf(['【警告】磁盘已满', '【错误】磁盘已满'])).toHaveLength(2);
    expect(templatesOf(['error: “disk full”', 'error: “no route”'])).toHaveLength(2);
    expect(
      templatesOf(['回复为「无法连接到远程数据库服务器请稍后」', '回复为「您没有访问这个资源的相应权限哦」']),
    ).toHaveLength(2);
  });

  it('end nowhere when their other half is missing', () => {
    const texts = Array.from({ length: 200 }, (_, index) => `${'«'.repeat(2_000)} lost ${index}`);
    expect(templatesOf(texts)).toHaveLength(1);
  });
});

describe('numbers inside sentences of other languages', () => {
  it.each([
    'Bestellung 1008 wurde nicht gefunden',
    'Заказ 1008 не найден',
    '订单 1008 不存在',
    'order 1008 was not found',
  ])('are no codes of a protocol: %s', (text) => {
    expect(classifyError(text).category).toBe('not_found');
    expect(templatesOf([text, text.replace('1008', '1011'), text.replace('1008', '503')])).toHaveLength(1);
  });
});

import { featuresOf } from 'rsi-loop/prompts';
import { describe, expect, it } from 'vitest';

const language = (text: string) => featuresOf(text).language;

describe('features of a request', () => {
  it('tell its length', () => {
    const lengths = [10, 199, 200, 999, 1_000, 4_999, 5_000].map((count) => featuresOf('a'.repeat(count)).length);
    expect(lengths).toEqual(['short', 'short', 'medium', 'medium', 'long', 'long', 'very-long']);
  });

  it('tell its language', () => {
    expect(language('How can I cancel the order that I made on Monday?')).toBe('en');
    expect(language('Wie kann ich die Bestellung stornieren, die ich am Montag gemacht habe?')).toBe('de');
    expect(language('Comment est-ce que je peux annuler la commande que vous avez reçue ?')).toBe('fr');
    expect(language('¿Cómo puedo cancelar el pedido que hice por la web?')).toBe('es');
    expect(language('Como posso cancelar o pedido que fiz na loja? Não encontro o botão.')).toBe('pt');
    expect(language('Jak mogę anulować zamówienie, które jest na moim koncie? Proszę o to.')).toBe('pl');
    expect(language('月曜日に注文した商品をキャンセルできますか')).toBe('ja');
    expect(language('我可以取消订单吗')).toBe('zh');
    expect(language('Как отменить заказ?')).toBe('ru');
    expect(language('Як скасувати моє замовлення? Її немає.')).toBe('uk');
  });

  it('do not guess', () => {
    expect(language('')).toBe('unknown');
    expect(language('const total = items.length * 3;')).toBe('unknown');
    expect(language('Invoice 2024-113')).toBe('unknown');
  });
});

import { isWhollyKnown, type KnownValue } from "../../provider/values";
import { RefusedCallError } from "../session";
import { rpc } from "../rpc";
import { DynamicValues } from "../values/dynamic-value";
import { field, message, optional, repeated, string } from "../wire/message";
import { dynamicValue, functionError } from "../wire/messages";

export const callFunction = rpc({
  name: "CallFunction",
  request: message({ name: field(1, string), arguments: repeated(2, dynamicValue) }),
  response: message({ result: optional(1, dynamicValue), error: optional(2, functionError) }),
  handle: ({ provider: { functions } }, { name, arguments: encoded }) => {
    const definition = functions.get(name);
    if (!definition) throw new RefusedCallError(`There is no function "${name}".`);
    const values = new DynamicValues();
    const args = definition.parameters.map(({ type }, index): KnownValue => {
      const value = values.decode(type, encoded[index]);
      if (isWhollyKnown(value)) return value;
      throw new RefusedCallError(`An argument of ${name} is not known yet.`);
    });
    const answer = functions.call(name, args);
    return "error" in answer
      ? { error: { text: answer.error.text, functionArgument: answer.error.argument } }
      : { result: values.encode(definition.returns, answer.value) };
  },
});
